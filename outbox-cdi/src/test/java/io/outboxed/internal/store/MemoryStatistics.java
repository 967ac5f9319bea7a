package io.outboxed.internal.store;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.LaneKey;
import io.outboxed.internal.store.MemoryTables.Row;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** How much is waiting, and what time it is. */
final class MemoryStatistics implements Statistics {
    private final MemoryTables tables;
    private final LongSupplier micros;

    MemoryStatistics(MemoryTables tables, LongSupplier micros) {
        this.tables = tables;
        this.micros = micros;
    }

    @Override
    public long clock() {
        return micros.getAsLong();
    }

    @Override
    public Backlog backlog(int most) {
        int mostWaiting = Math.min(most, Backlog.MAX_WAITING_COUNTED);
        long ready = Math.min(most, count(MessageState.READY));
        long parked = Math.min(most, count(MessageState.PARKED));
        List<LaneKey> blocked = new ArrayList<>();
        List<LaneKey> resumed = new ArrayList<>();
        tables.lanes.forEach((key, row) -> (row.resumeAt == null ? blocked : resumed).add(key));
        long oldest = tables.messages.all().stream()
                .filter(row -> !row.uncommitted && waitsForTheRelay(row, resumed))
                .mapToLong(row -> micros.getAsLong() - row.createdAt - row.delayMicros)
                .max()
                .orElse(0);
        return new Backlog(
                ready,
                parked,
                Math.min(mostWaiting, deliveriesIn(resumed)),
                Math.min(mostWaiting, deliveriesIn(blocked)),
                Math.min(most, tables.dead.size()),
                blocked.stream()
                        .limit(mostWaiting)
                        .map(LaneKey::lane)
                        .distinct()
                        .count(),
                Duration.of(Math.max(0, oldest), ChronoUnit.MICROS));
    }

    @Override
    public Map<String, Long> operatorChanges() {
        return Map.of();
    }

    private long count(MessageState status) {
        return tables.messages.all().stream()
                .filter(row -> row.status == status && !row.uncommitted)
                .count();
    }

    private long deliveriesIn(List<LaneKey> lanes) {
        return tables.deliveries.all().stream().filter(row -> waits(row, lanes)).count();
    }

    private static boolean waits(DeliveryRow row, List<LaneKey> lanes) {
        return row.state != DeliveryState.DONE && lanes.contains(new LaneKey(row.lane, row.group));
    }

    private boolean waitsForTheRelay(Row row, List<LaneKey> resumed) {
        return switch (row.status) {
            case READY -> true;
            case PARKED -> resumed.contains(new LaneKey(row.first.lane(), LaneWait.PARKED));
            case SPLIT -> tables.deliveries.of(row.first).values().stream().anyMatch(each -> waits(each, resumed));
        };
    }
}
