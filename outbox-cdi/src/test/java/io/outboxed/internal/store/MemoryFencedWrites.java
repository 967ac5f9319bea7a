package io.outboxed.internal.store;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.store.MemoryTables.Dead;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.LaneKey;
import io.outboxed.internal.store.MemoryTables.LaneRow;
import io.outboxed.internal.store.MemoryTables.Row;
import io.outboxed.internal.store.cluster.Lease;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/** What only the owner of a shard may store. */
final class MemoryFencedWrites implements FencedWriter {
    private final MemoryTables tables;
    private final BiConsumer<Lease, List<Long>> fence;
    private final LongSupplier micros;
    private StoredResolutions listener = StoredResolutions.NONE;

    MemoryFencedWrites(MemoryTables tables, BiConsumer<Lease, List<Long>> fence, LongSupplier micros) {
        this.tables = tables;
        this.fence = fence;
        this.micros = micros;
    }

    void listen(StoredResolutions resolutions) {
        listener = resolutions;
    }

    @Override
    public void write(Map<Lease, List<FencedWrite>> writes) {
        writes.forEach((lease, some) ->
                fence.accept(lease, some.stream().map(FencedWrite::inLane).toList()));
        writes.values().forEach(some -> some.forEach(this::refuseLocked));
        writes.values().forEach(some -> some.forEach(this::refuseLost));
        writes.values().forEach(some -> some.forEach(this::flush));
    }

    private void refuseLocked(FencedWrite write) {
        List<MessageHead> heads = write instanceof FencedWrite.Resolve resolve
                ? List.of(resolve.head())
                : write instanceof FencedWrite.Adopt adopt
                        ? List.of(adopt.head())
                        : write instanceof FencedWrite.RevertStart start
                                ? List.of(start.head())
                                : write instanceof FencedWrite.CountAttempt count ? List.of(count.head()) : List.of();
        for (MessageHead head : heads) {
            Row row = tables.row(head);
            if (row != null && row.lockedBy != null) {
                throw MemoryTables.held(head.id());
            }
        }
    }

    private void refuseLost(FencedWrite write) {
        if (write instanceof FencedWrite.Resolve resolve) {
            Row row = tables.row(resolve.head());
            if (row != null) {
                resolve.requireNothingLost(row.status, row.version);
            }
        }
    }

    private void flush(FencedWrite write) {
        if (write instanceof FencedWrite.Resolve resolve) {
            resolve(resolve);
        } else if (write instanceof FencedWrite.Park park) {
            park(park);
        } else if (write instanceof FencedWrite.PostponeLane postpone) {
            LaneRow lane = tables.lanes.get(
                    new LaneKey(postpone.lane().lane(), postpone.lane().group()));
            if (lane != null && lane.resumeAt != null) {
                lane.resumeAt = now() + postpone.delayMicros();
            }
        } else if (write instanceof FencedWrite.PauseLane pause) {
            LaneRow lane = tables.lanes.get(
                    new LaneKey(pause.lane().lane(), pause.lane().group()));
            if (lane != null && lane.resumeAt != null) {
                lane.resumeAt = LaneWait.AFTER_RESUME;
            }
        } else if (write instanceof FencedWrite.CountAttempt count) {
            DeliveryRow row = tables.delivery(count.head(), count.handler());
            if (row != null && row.state == DeliveryState.WAITING) {
                row.attempts = count.attempts();
            }
        } else if (write instanceof FencedWrite.UpdateStarts update) {
            Row row = tables.row(update.head());
            if (row != null && row.lockedBy == null && row.starts == update.from()) {
                row.starts = update.to();
            }
        } else if (write instanceof FencedWrite.RevertStart start) {
            Row row = tables.row(start.head());
            if (row != null && row.starts == start.head().starts() + 1) {
                row.starts--;
            }
        } else if (write instanceof FencedWrite.Adopt adopt) {
            adopt(adopt);
        }
    }

    private void resolve(FencedWrite.Resolve resolve) {
        MessageHead head = resolve.head();
        Row row = tables.row(head);
        Set<String> groups = new LinkedHashSet<>();
        resolve.resolutions().forEach(resolution -> {
            groups.add(resolution.group());
            DeliveryRow before = tables.delivery(head, resolution.handler());
            groups.add(before == null ? resolution.group() : before.group);
        });
        if (row == null) {
            tables.dropDeliveries(head);
        } else if (!resolve.isStored(row.status, row.version)) {
            resolve.resolutions().stream()
                    .filter(resolution -> !succeeded(row, tables.delivery(head, resolution.handler())))
                    .forEach(resolution -> flush(row, resolution));
            finish(row);
        }
        groups.forEach(group -> tables.refreshUnlessBehind(head, group));
    }

    /** A success is on record: a done row beside a whole message, no row beside a split one. */
    private static boolean succeeded(Row row, DeliveryRow before) {
        return row.status == MessageState.SPLIT ? before == null : before != null && before.state == DeliveryState.DONE;
    }

    private void flush(Row row, Resolution resolution) {
        MessageHead head = row.first;
        DeliveryKey key = new DeliveryKey(head.id(), resolution.handler());
        if (resolution instanceof Resolution.Retry retry) {
            long due = now() + retry.delayMicros();
            put(key, new DeliveryRow(head, resolution.group(), DeliveryState.WAITING, due), resolution);
            listener.retry(head.id(), resolution.handler(), resolution.attempts(), due);
            return;
        }
        tables.dead.put(key, new Dead(row, resolution.group(), resolution.attempts(), resolution.error()));
        if (resolution instanceof Resolution.Blocked) {
            put(key, new DeliveryRow(head, resolution.group(), DeliveryState.BLOCKED, 0), resolution);
            listener.blocked(head.id(), resolution.handler());
        } else {
            tables.dropDelivery(head, resolution.handler());
            listener.dead(head.id(), resolution.handler());
        }
    }

    private void put(DeliveryKey key, DeliveryRow delivery, Resolution resolution) {
        delivery.attempts = resolution.attempts();
        delivery.error = resolution.error();
        tables.deliveries.put(key, delivery);
    }

    private void finish(Row row) {
        tables.deliveries.of(row.first).forEach((key, each) -> {
            if (each.state == DeliveryState.DONE) {
                tables.deliveries.remove(key);
            }
        });
        if (tables.hasDeliveries(row.first)) {
            row.status = MessageState.SPLIT;
            row.starts = 0;
            row.version++;
        } else {
            tables.delete(row.first);
        }
    }

    private void park(FencedWrite.Park park) {
        List<Row> rows = park.rows().stream()
                .map(tables::row)
                .filter(row -> row != null && row.lockedBy == null && row.status != MessageState.SPLIT)
                .toList();
        for (Row row : rows) {
            if (row.status == MessageState.READY) {
                row.status = MessageState.PARKED;
                row.version++;
            }
        }
        rows.stream()
                .mapToLong(row -> row.createdAt + row.delayMicros)
                .min()
                .ifPresent(due -> tables.lanes.putIfAbsent(
                        new LaneKey(park.lane(), LaneWait.PARKED),
                        new LaneRow(rows.get(0).first.shard(), due)));
    }

    private void adopt(FencedWrite.Adopt adopt) {
        MessageHead head = adopt.head();
        Row row = tables.row(head);
        if (row == null || adopt.handlers().isEmpty() || !tables.dropDelivery(head, LaneWait.NO_HANDLER)) {
            return;
        }
        adopt.handlers()
                .forEach((handler, group) -> tables.deliveries.put(
                        new DeliveryKey(head.id(), handler),
                        new DeliveryRow(head, group, DeliveryState.WAITING, now())));
        row.version++;
        tables.refreshUnlessBehind(head, LaneWait.NO_HANDLER);
        adopt.handlers().values().forEach(group -> tables.refreshUnlessBehind(head, group));
        listener.adopted(head.id(), adopt.handlers().keySet(), now());
    }

    @Override
    public boolean refresh(Lease lease, LaneWait lane) {
        fence.accept(lease, List.of(lane.lane()));
        if (!lane.group().equals(LaneWait.PARKED)) {
            return tables.refresh(lane.lane(), lane.shard(), lane.group());
        }
        boolean anyParked =
                tables.messages.inLane(lane.lane(), 0).stream().anyMatch(row -> row.status == MessageState.PARKED);
        if (!anyParked) {
            tables.lanes.remove(new LaneKey(lane.lane(), LaneWait.PARKED));
        }
        return !anyParked;
    }

    @Override
    public void wake(Lease lease) {
        fence.accept(lease, List.of());
        tables.lanes.values().stream()
                .filter(lane ->
                        lane.shard == lease.shard() && lane.resumeAt != null && lane.resumeAt == LaneWait.AFTER_RESUME)
                .forEach(lane -> lane.resumeAt = now());
    }

    @Override
    public List<UUID> start(Lease lease, List<MessageHead> suspects, Set<UUID> running, Set<Long> firstOfLanes) {
        fence.accept(lease, suspects.stream().map(MessageHead::lane).toList());
        Map<MessageHead, List<Row>> following = new LinkedHashMap<>();
        Set<Long> held = new LinkedHashSet<>();
        for (MessageHead suspect : suspects) {
            Row row = tables.row(suspect);
            boolean first = firstOfLanes.contains(suspect.lane());
            List<Row> rows = tables.following(suspect, first ? FencedWriter.BUMPED : 0);
            if (row != null && row.lockedBy != null || rows.stream().anyMatch(each -> each.lockedBy != null)) {
                held.add(suspect.lane());
            } else if (row != null && row.version == suspect.version()) {
                following.put(suspect, rows);
            }
        }
        following.keySet().removeIf(suspect -> held.contains(suspect.lane()));
        Set<Row> bumped = new LinkedHashSet<>();
        following.forEach((suspect, rows) -> {
            if (running.contains(suspect.id())) {
                tables.row(suspect).starts++;
                bumped.add(tables.row(suspect));
            }
            bumped.addAll(rows);
        });
        bumped.forEach(row -> row.version++);
        return following.keySet().stream().map(MessageHead::id).toList();
    }

    private long now() {
        return micros.getAsLong();
    }
}
