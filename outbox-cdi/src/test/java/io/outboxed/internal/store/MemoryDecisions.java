package io.outboxed.internal.store;

import io.outboxed.internal.store.MemoryTables.Dead;
import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.LaneKey;
import io.outboxed.internal.store.MemoryTables.LaneRow;
import io.outboxed.internal.store.MemoryTables.Row;
import io.outboxed.internal.store.MemoryTables.State;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/** The fenced half of {@link MemoryStore}. */
final class MemoryDecisions {
    private final MemoryTables tables;
    private final LongSupplier micros;
    StoredDecisions heard = StoredDecisions.UNHEARD;

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
                    new LaneKey(postpone.lane().lane(), postpone.lane().group()));
            if (lane != null && lane.resumeAt != null) {
                lane.resumeAt = now() + postpone.delayMicros();
            }
        } else if (decision instanceof Decision.Count count) {
            DeliveryRow row = tables.delivery(count.head(), count.handler());
            if (row != null && row.state == State.PENDING) {
                row.attempts = count.attempts();
            }
        } else if (decision instanceof Decision.Adopt adopt) {
            adopt(adopt);
        }
    }

    private void judge(Decision.Judge judge) {
        Head head = judge.head();
        Row row = tables.row(head);
        Set<String> groups = new LinkedHashSet<>();
        judge.verdicts().forEach(verdict -> {
            groups.add(verdict.group());
            DeliveryRow before = tables.delivery(head, verdict.handler());
            groups.add(before == null ? verdict.group() : before.group);
        });
        if (row == null) {
            tables.dropDeliveries(head);
        } else {
            judge.verdicts().stream()
                    .filter(verdict -> !succeeded(row, tables.delivery(head, verdict.handler())))
                    .forEach(verdict -> carryOut(row, verdict));
            finish(row);
        }
        groups.forEach(group -> tables.refreshUnlessBehind(head, group));
    }

    /** A success is on record: a done row beside a whole message, no row beside a split one. */
    private static boolean succeeded(Row row, DeliveryRow before) {
        return row.status == Head.Status.SPLIT ? before == null : before != null && before.state == State.DONE;
    }

    private void carryOut(Row row, Verdict verdict) {
        Head head = row.first;
        DeliveryKey key = new DeliveryKey(head.id(), verdict.handler());
        if (verdict instanceof Verdict.Retry retry) {
            long due = now() + retry.delayMicros();
            put(key, new DeliveryRow(head, verdict.group(), State.PENDING, due), verdict);
            heard.retry(head.id(), verdict.handler(), verdict.attempts(), due);
            return;
        }
        tables.dead.put(key, new Dead(row, verdict.group(), verdict.attempts(), verdict.error()));
        if (verdict instanceof Verdict.Blocked) {
            put(key, new DeliveryRow(head, verdict.group(), State.BLOCKED, 0), verdict);
            heard.blocked(head.id(), verdict.handler());
        } else {
            tables.dropDelivery(head, verdict.handler());
            heard.dead(head.id(), verdict.handler());
        }
    }

    private void put(DeliveryKey key, DeliveryRow delivery, Verdict verdict) {
        delivery.attempts = verdict.attempts();
        delivery.error = verdict.error();
        tables.deliveries.put(key, delivery);
    }

    private void finish(Row row) {
        tables.deliveries.values().removeIf(each -> each.seq == row.first.seq() && each.state == State.DONE);
        if (tables.hasDeliveries(row.first)) {
            row.status = Head.Status.SPLIT;
            row.starts = 0;
            row.version++;
        } else {
            tables.delete(row.first);
        }
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
        Row row = tables.row(head);
        if (row == null || adopt.handlers().isEmpty() || !tables.dropDelivery(head, WaitingLane.UNKNOWN)) {
            return;
        }
        adopt.handlers()
                .forEach((handler, group) -> tables.deliveries.put(
                        new DeliveryKey(head.id(), handler), new DeliveryRow(head, group, State.PENDING, now())));
        row.version++;
        tables.refreshUnlessBehind(head, WaitingLane.UNKNOWN);
        adopt.handlers().values().forEach(group -> tables.refreshUnlessBehind(head, group));
        heard.adopted(head.id(), adopt.handlers().keySet(), now());
    }

    /** A skipped letter becomes a new row at the end of its lane, a blocked one goes on in its place. */
    boolean replay(UUID message, String handler) {
        DeliveryKey key = new DeliveryKey(message, handler);
        Dead letter = tables.dead.remove(key);
        if (letter == null) {
            return false;
        }
        Head head = letter.row().first;
        DeliveryRow delivery = tables.delivery(head, handler);
        if (delivery != null && delivery.state == State.BLOCKED) {
            delivery.state = State.PENDING;
            delivery.attempts = 0;
            delivery.error = null;
            delivery.dueAt = now();
            tables.row(head).version++;
            tables.refresh(head.lane(), head.shard(), letter.group());
        } else {
            tables.insertAgain(letter.row(), handler);
        }
        return true;
    }

    List<UUID> start(List<Head> suspects, Set<Long> firstOfLanes) {
        Map<Head, List<Row>> following = new LinkedHashMap<>();
        Set<Long> held = new LinkedHashSet<>();
        for (Head suspect : suspects) {
            Row row = tables.row(suspect);
            boolean first = firstOfLanes.contains(suspect.lane());
            List<Row> rows = tables.following(suspect, first ? RelayStore.BUMPED : 0);
            if (row != null && row.lockedBy != null || rows.stream().anyMatch(each -> each.lockedBy != null)) {
                held.add(suspect.lane());
            } else if (row != null && row.version == suspect.version()) {
                following.put(suspect, rows);
            }
        }
        following.keySet().removeIf(suspect -> held.contains(suspect.lane()));
        Set<Row> bumped = new LinkedHashSet<>();
        following.forEach((suspect, rows) -> {
            tables.row(suspect).starts++;
            bumped.add(tables.row(suspect));
            bumped.addAll(rows);
        });
        bumped.forEach(row -> row.version++);
        return following.keySet().stream().map(Head::id).toList();
    }

    private long now() {
        return micros.getAsLong();
    }
}
