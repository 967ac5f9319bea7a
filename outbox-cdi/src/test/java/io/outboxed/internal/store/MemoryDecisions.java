package io.outboxed.internal.store;

import io.outboxed.internal.store.MemoryTables.Dead;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.LaneKey;
import io.outboxed.internal.store.MemoryTables.LaneRow;
import io.outboxed.internal.store.MemoryTables.Row;
import io.outboxed.internal.store.MemoryTables.State;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;

/** The fenced half of {@link MemoryStore}. */
final class MemoryDecisions {
    private final MemoryTables tables;
    private final LongSupplier micros;

    MemoryDecisions(MemoryTables tables, LongSupplier micros) {
        this.tables = tables;
        this.micros = micros;
    }

    void carryOut(List<Decision> decisions) {
        for (Decision decision : decisions) {
            refuseLocked(decision);
        }
        for (Decision decision : decisions) {
            carryOut(decision);
        }
    }

    private void refuseLocked(Decision decision) {
        List<Head> heads = decision instanceof Decision.Judge judge
                ? List.of(judge.head())
                : decision instanceof Decision.Adopt adopt ? List.of(adopt.head()) : List.of();
        for (Head head : heads) {
            Row row = tables.row(head);
            if (row != null && row.lockedBy != null) {
                throw MemoryTables.held(head.id());
            }
        }
    }

    private void carryOut(Decision decision) {
        if (decision instanceof Decision.Judge judge) {
            judge(judge);
        } else if (decision instanceof Decision.Park park) {
            park(park);
        } else if (decision instanceof Decision.Postpone postpone) {
            LaneRow lane = tables.lanes.get(
                    new LaneKey(postpone.lane().lane(), postpone.lane().handler()));
            if (lane != null && lane.resumeAt != null) {
                lane.resumeAt = now() + postpone.delayMicros();
            }
        } else if (decision instanceof Decision.Count count) {
            DeliveryRow row = tables.deliveries.get(new DeliveryKey(count.head().id(), count.handler()));
            if (row != null && row.seq == count.head().seq() && row.state == State.PENDING) {
                row.attempts = count.attempts();
            }
        } else if (decision instanceof Decision.Adopt adopt) {
            adopt(adopt);
        }
    }

    private void judge(Decision.Judge judge) {
        Head head = judge.head();
        Row row = tables.row(head);
        if (row == null) {
            tables.dropDeliveries(head.id());
            return;
        }
        for (Verdict verdict : judge.verdicts()) {
            DeliveryKey key = new DeliveryKey(head.id(), verdict.handler());
            DeliveryRow before = tables.deliveries.get(key);
            if (before != null && before.state == State.DONE) {
                continue;
            }
            if (head.status() == Head.Status.SPLIT && before == null) {
                continue;
            }
            if (verdict instanceof Verdict.Dead) {
                tables.dead.put(key, new Dead(head, verdict.handler(), verdict.attempts(), verdict.error(), row.text));
                tables.deliveries.remove(key);
                if (head.status() == Head.Status.SPLIT) {
                    upsertLane(head, verdict.handler(), now(), true);
                }
                continue;
            }
            boolean isFirst = isFirst(head, verdict.handler());
            DeliveryRow pending = new DeliveryRow(
                    head.seq(), head.lane(), verdict instanceof Verdict.Blocked ? State.BLOCKED : State.PENDING);
            pending.attempts = verdict.attempts();
            pending.error = verdict.error();
            tables.deliveries.put(key, pending);
            if (verdict instanceof Verdict.Blocked) {
                tables.dead.put(key, new Dead(head, verdict.handler(), verdict.attempts(), verdict.error(), row.text));
                upsertLane(head, verdict.handler(), null, true);
            } else {
                long due = now() + ((Verdict.Retry) verdict).delayMicros();
                upsertLane(head, verdict.handler(), due, isFirst);
            }
        }
        tables.deliveries
                .entrySet()
                .removeIf(each -> each.getKey().message().equals(head.id()) && each.getValue().state == State.DONE);
        if (tables.hasDeliveries(head.id())) {
            row.status = Head.Status.SPLIT;
            row.starts = 0;
            row.version++;
        } else {
            tables.delete(head);
        }
    }

    boolean replay(UUID message, String handler, long seq) {
        DeliveryKey key = new DeliveryKey(message, handler);
        Dead dead = tables.dead.remove(key);
        if (dead == null) {
            return false;
        }
        DeliveryRow blocked = tables.deliveries.get(key);
        if (blocked != null) {
            blocked.state = State.PENDING;
            blocked.attempts = 0;
            upsertLane(dead.head(), handler, now(), isFirst(dead.head(), handler));
            return true;
        }
        Head old = dead.head();
        Head head = new Head(
                seq, old.id(), old.shard(), old.lane(), old.type(), Head.Status.SPLIT, 0, 0, old.size(), 0, false, null);
        Row row = new Row(head, now(), 0, dead.text());
        row.status = Head.Status.SPLIT;
        tables.messages.put(seq, row);
        tables.deliveries.put(key, new DeliveryRow(seq, head.lane(), State.PENDING));
        upsertLane(head, handler, now(), isFirst(head, handler));
        return true;
    }

    private void upsertLane(Head head, String handler, Long due, boolean overwrite) {
        LaneKey key = new LaneKey(head.lane(), handler);
        LaneRow lane = tables.lanes.get(key);
        if (lane == null) {
            tables.lanes.put(key, new LaneRow(head.shard(), due));
        } else if (overwrite) {
            lane.resumeAt = due;
        }
    }

    private boolean isFirst(Head head, String handler) {
        return tables.deliveries.entrySet().stream()
                .noneMatch(each -> each.getValue().lane == head.lane()
                        && each.getKey().handler().equals(handler)
                        && each.getValue().seq < head.seq()
                        && each.getValue().state != State.DONE);
    }

    private void park(Decision.Park park) {
        List<Row> rows = park.rows().stream()
                .map(tables::row)
                .filter(row -> row != null && row.lockedBy == null && row.status != Head.Status.SPLIT)
                .toList();
        for (Row row : rows) {
            if (row.status == Head.Status.READY) {
                row.status = Head.Status.PARKED;
                row.version++;
            }
        }
        rows.stream()
                .mapToLong(row -> row.createdAt + row.delayMicros)
                .min()
                .ifPresent(due -> tables.lanes.putIfAbsent(
                        new LaneKey(park.lane(), WaitingLane.WHOLE),
                        new LaneRow(rows.get(0).first.shard(), due)));
    }

    private void adopt(Decision.Adopt adopt) {
        Head head = adopt.head();
        DeliveryRow unknown = tables.deliveries.remove(new DeliveryKey(head.id(), WaitingLane.UNKNOWN));
        if (unknown == null || tables.row(head) == null) {
            return;
        }
        for (String handler : adopt.handlers()) {
            tables.deliveries.put(
                    new DeliveryKey(head.id(), handler), new DeliveryRow(head.seq(), head.lane(), State.PENDING));
            upsertLane(head, handler, now(), isFirst(head, handler));
        }
        tables.row(head).version++;
    }

    private long now() {
        return micros.getAsLong();
    }
}
