package io.outboxed.internal.store;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.LaneKey;
import io.outboxed.internal.store.MemoryTables.LaneRow;
import io.outboxed.internal.store.MemoryTables.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What a relay reads: ready rows, lanes, and what waits. */
final class MemoryReading implements MessageReads {
    private final MemoryTables tables;
    private final LongSupplier micros;

    MemoryReading(MemoryTables tables, LongSupplier micros) {
        this.tables = tables;
        this.micros = micros;
    }

    @Override
    public List<MessageHead> ready(Collection<ReadWindow> windows) {
        List<MessageHead> heads = new ArrayList<>();
        for (ReadWindow window : windows) {
            tables.messages.ofShard(window.shard(), window.above()).stream()
                    .filter(row -> row.status == MessageState.READY && !row.uncommitted)
                    .filter(row -> !window.without().contains(row.first.lane()))
                    .limit(window.limit())
                    .map(row -> row.headWithSmallBody(micros.getAsLong()))
                    .forEach(heads::add);
        }
        heads.sort(Comparator.comparingLong(MessageHead::seq));
        return heads;
    }

    @Override
    public List<MessageHead> sweep(Collection<ReadWindow> windows) {
        return ready(windows);
    }

    @Override
    public List<MessageHead> lanes(Collection<Long> lanes, int limit) {
        return lanes.stream()
                .flatMap(lane -> heads(lane, limit))
                .sorted(Comparator.comparingLong(MessageHead::seq))
                .toList();
    }

    private Stream<MessageHead> heads(long lane, int limit) {
        return tables.messages.inLane(lane, 0).stream()
                .filter(row -> row.status != MessageState.SPLIT && !row.uncommitted)
                .limit(limit)
                .map(row -> row.headWithSmallBody(micros.getAsLong()));
    }

    @Override
    public List<WaitingDelivery> waiting(long lane, String group, int limit) {
        List<WaitingDelivery> page = new ArrayList<>();
        long now = micros.getAsLong();
        LaneRow laneRow = tables.lanes.get(new LaneKey(lane, group));
        if (laneRow == null || laneRow.resumeAt == null || laneRow.resumeAt > now) {
            return page;
        }
        List<Map.Entry<DeliveryKey, DeliveryRow>> rows = tables.deliveries
                .waiting(lane, group)
                .sorted(Comparator.comparing((Map.Entry<DeliveryKey, DeliveryRow> each) -> each.getValue().seq)
                        .thenComparing(each -> each.getKey().handler()))
                .toList();
        long endsWith = Long.MAX_VALUE;
        for (Map.Entry<DeliveryKey, DeliveryRow> each : rows) {
            DeliveryRow row = each.getValue();
            if (row.seq > endsWith || page.size() == limit) {
                return page;
            }
            if (row.state == DeliveryState.WAITING && row.dueAt <= now) {
                page.add(waiting(each.getKey(), row));
            } else {
                endsWith = row.seq;
            }
        }
        return page;
    }

    private WaitingDelivery waiting(DeliveryKey key, DeliveryRow row) {
        MessageHead head = tables.messages.get(row.seq).head(micros.getAsLong());
        return new WaitingDelivery(head, key.handler(), row.group, row.attempts);
    }

    @Override
    public Optional<String> lastError(MessageHead message, String handler) {
        DeliveryRow row = tables.deliveries.get(new DeliveryKey(message.id(), handler));
        return Optional.ofNullable(row == null ? null : row.error);
    }

    @Override
    public List<MessageHead> unadopted(long lane, long above, int limit) {
        return tables.deliveries
                .waiting(lane, LaneWait.NO_HANDLER)
                .map(Map.Entry::getValue)
                .filter(row -> row.state == DeliveryState.WAITING && row.seq > above)
                .map(row -> row.seq)
                .sorted()
                .limit(limit)
                .map(seq -> tables.messages.get(seq).head(micros.getAsLong()))
                .toList();
    }

    @Override
    public List<LaneWait> due(Collection<Integer> shards, int limit, Collection<String> withoutGroups) {
        return due(wait -> shards.contains(wait.shard()) && !withoutGroups.contains(wait.group()))
                .limit(limit)
                .toList();
    }

    @Override
    public List<LaneWait> dueOf(Collection<Long> lanes) {
        return due(wait -> lanes.contains(wait.lane())).toList();
    }

    private Stream<LaneWait> due(Predicate<LaneWait> which) {
        return tables.lanes.entrySet().stream()
                .filter(each -> each.getValue().resumeAt != null && each.getValue().resumeAt <= micros.getAsLong())
                .sorted(Comparator.comparingLong(each -> each.getValue().resumeAt))
                .map(each -> new LaneWait(
                        each.getKey().lane(),
                        each.getValue().shard,
                        each.getKey().group()))
                .filter(which);
    }

    @Override
    public Map<Long, Set<String>> waits(Collection<Long> lanes) {
        Map<Long, Set<String>> waits = new LinkedHashMap<>();
        for (LaneKey key : tables.lanes.keySet()) {
            if (lanes.contains(key.lane())) {
                waits.computeIfAbsent(key.lane(), lane -> new LinkedHashSet<>()).add(key.group());
            }
        }
        return waits;
    }

    @Override
    public Set<Integer> waitingShards(Collection<Integer> shards) {
        Set<Integer> waiting = new LinkedHashSet<>();
        tables.lanes.values().stream()
                .map(row -> row.shard)
                .filter(shards::contains)
                .forEach(waiting::add);
        return waiting;
    }

    @Override
    public Map<UUID, Set<String>> done(Collection<UUID> messages) {
        Map<UUID, Set<String>> done = new LinkedHashMap<>();
        for (UUID message : messages) {
            tables.deliveries.of(message).forEach((key, row) -> {
                if (row.state == DeliveryState.DONE) {
                    done.computeIfAbsent(message, id -> new LinkedHashSet<>()).add(key.handler());
                }
            });
        }
        return done;
    }

    @Override
    public List<MessageBody> bodies(Collection<Long> seqs) {
        List<MessageBody> bodies = new ArrayList<>();
        for (long seq : seqs) {
            Row row = tables.messages.get(seq);
            if (row != null) {
                bodies.add(row.body());
            }
        }
        return bodies;
    }

    @Override
    public List<MessageBody> bodiesWithoutPayload(Collection<Long> seqs) {
        return bodies(seqs);
    }

    @Override
    public Set<UUID> startable(Collection<MessageHead> delayed) {
        Set<UUID> startable = new LinkedHashSet<>();
        for (MessageHead head : delayed) {
            Row row = tables.row(head);
            if (row != null && row.lockedBy == null && !row.isDelayed(micros.getAsLong())) {
                startable.add(head.id());
            }
        }
        return startable;
    }

    @Override
    public long highest() {
        return tables.messages.newestFirst().stream()
                .filter(row -> !row.uncommitted)
                .findFirst()
                .map(row -> row.first.seq())
                .orElse(0L);
    }
}
