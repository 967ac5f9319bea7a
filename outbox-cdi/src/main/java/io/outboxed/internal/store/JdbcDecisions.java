package io.outboxed.internal.store;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** What only the holder of a shard may do: each method locks the shard row with owner and epoch first. */
final class JdbcDecisions {
    private final Connections connections;
    private final Sql sql;
    private final LaneRows lanes;
    private final JdbcJudgement judgement;
    private final Consumer<StoreException> dropped;

    JdbcDecisions(Connections connections, Sql sql, boolean keepHistory, Consumer<StoreException> dropped) {
        this.dropped = dropped;
        this.connections = connections;
        this.sql = sql;
        this.lanes = new LaneRows(sql);
        this.judgement = new JdbcJudgement(sql, lanes, keepHistory);
    }

    void decide(Lease lease, List<Decision> decisions) {
        try {
            decide(lease, decisions, true);
        } catch (StoreException e) {
            if (e.isTransient()) {
                throw e;
            }
            // nothing optional may keep a message from its decision: once more without error texts and history
            decide(lease, decisions, false);
            dropped.accept(e);
        }
    }

    private void decide(Lease lease, List<Decision> decisions, boolean withOptional) {
        connections.transaction(jdbc -> {
            JdbcShards.lock(jdbc, sql, lease);
            for (Decision decision : decisions) {
                carryOut(jdbc, lease, decision, withOptional);
            }
            return null;
        });
    }

    private void carryOut(Jdbc jdbc, Lease lease, Decision decision, boolean withOptional) throws SQLException {
        if (decision instanceof Decision.Judge judge) {
            judgement.judge(jdbc, judge, withOptional);
        } else if (decision instanceof Decision.Park park) {
            park(jdbc, lease, park);
        } else if (decision instanceof Decision.Postpone postpone) {
            lanes.postpone(jdbc, postpone.lane(), postpone.delayMicros());
        } else if (decision instanceof Decision.Count count) {
            count(jdbc, count);
        } else if (decision instanceof Decision.Adopt adopt) {
            adopt(jdbc, adopt);
        }
    }

    private void park(Jdbc jdbc, Lease lease, Decision.Park park) throws SQLException {
        // a row in a frozen transaction stays READY and is parked when it is met again
        List<Keys.Row> rows = Keys.of(park.rows()).lockFree(jdbc, sql).stream()
                .filter(row -> row.status() != Head.Status.SPLIT)
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        keysOf(park.rows(), rows, Head.Status.READY).update(jdbc, sql.parkRows);
        ToLongFunction<Keys.Row> due = Keys.Row::due;
        lanes.addIfAbsent(
                jdbc,
                new WaitingLane(park.lane(), lease.shard(), WaitingLane.WHOLE),
                rows.stream().mapToLong(due).min().orElseThrow());
    }

    private static Keys keysOf(List<Head> heads, List<Keys.Row> rows, Head.Status status) {
        List<UUID> wanted = rows.stream()
                .filter(row -> row.status() == status)
                .map(Keys.Row::id)
                .toList();
        return Keys.of(heads.stream().filter(head -> wanted.contains(head.id())).toList());
    }

    private void count(Jdbc jdbc, Decision.Count count) throws SQLException {
        Head head = count.head();
        // held: its handler will not get its mark either
        if (jdbc.exists(sql.lockFreeDelivery, head.id(), count.handler(), head.seq())) {
            jdbc.update(sql.countTry, count.attempts(), head.id(), count.handler(), head.seq());
        }
    }

    private void adopt(Jdbc jdbc, Decision.Adopt adopt) throws SQLException {
        Head head = adopt.head();
        Map<String, String> handlers = new TreeMap<>(adopt.handlers());
        Optional<MessageRow> message = handlers.isEmpty() ? Optional.empty() : MessageRow.lock(jdbc, sql, head);
        if (message.isEmpty() || jdbc.update(sql.deleteDelivery, head.id(), WaitingLane.UNKNOWN, head.seq()) == 0) {
            return;
        }
        for (Map.Entry<String, String> handler : handlers.entrySet()) {
            jdbc.update(
                    sql.addDelivery,
                    head.id(),
                    handler.getKey(),
                    handler.getValue(),
                    head.seq(),
                    head.lane(),
                    head.shard(),
                    DeliveryState.PENDING,
                    0,
                    0L,
                    null);
        }
        jdbc.update(sql.splitMessage, head.seq(), head.id());
        Set<String> groups = new HashSet<>(handlers.values());
        groups.add(WaitingLane.UNKNOWN);
        lanes.refresh(jdbc, message.get(), head.seq(), groups);
    }

    boolean refresh(Lease lease, WaitingLane lane) {
        return connections.transaction(jdbc -> {
            JdbcShards.lock(jdbc, sql, lease);
            return lanes.refresh(jdbc, lane);
        });
    }

    List<UUID> start(Lease lease, List<Head> suspects, Set<Long> firstOfLanes) {
        return connections.transaction(jdbc -> {
            JdbcShards.lock(jdbc, sql, lease);
            return new JdbcStarts(jdbc, sql).count(suspects, firstOfLanes);
        });
    }
}
