package io.outboxed.internal.store;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The end of a message's turn: what becomes of each handler's delivery, and of the row. */
final class JdbcJudgement {
    private final Sql sql;
    private final LaneRows lanes;
    private final boolean keepHistory;

    JdbcJudgement(Sql sql, LaneRows lanes, boolean keepHistory) {
        this.sql = sql;
        this.lanes = lanes;
        this.keepHistory = keepHistory;
    }

    private record Delivery(String handler, int state) {}

    void judge(Jdbc jdbc, Decision.Judge judge, boolean withOptional) throws SQLException {
        Head head = judge.head();
        // the message row first: whoever touches its deliveries holds it
        MessageRow message = MessageRow.lock(jdbc, sql, head).orElse(null);
        if (message == null) {
            jdbc.update(sql.deleteDeliveries, head.id(), head.seq());
            return;
        }
        boolean split = message.status() == Head.Status.SPLIT;
        Map<String, Integer> states = states(jdbc, head);
        boolean anyDead = false;
        for (Verdict verdict : judge.verdicts()) {
            Integer state = states.get(verdict.handler());
            // a success is on record: a done row beside a whole message, no row beside a split one
            boolean succeeded = split ? state == null : state != null && state == DeliveryState.DONE;
            if (!succeeded) {
                WaitingLane lane = new WaitingLane(message.lane(), message.shard(), verdict.handler());
                carryOut(jdbc, head, lane, verdict, split, withOptional);
                anyDead |= verdict instanceof Verdict.Dead;
            }
        }
        finish(jdbc, head, keepHistory && withOptional && !anyDead);
    }

    private void carryOut(Jdbc jdbc, Head head, WaitingLane lane, Verdict verdict, boolean split, boolean withOptional)
            throws SQLException {
        if (verdict instanceof Verdict.Retry retry) {
            write(jdbc, head, lane, verdict, DeliveryState.PENDING, withOptional);
            lanes.retry(jdbc, lane, head.seq(), retry.delayMicros());
        } else if (verdict instanceof Verdict.Blocked) {
            bury(jdbc, head, verdict, true, withOptional);
            write(jdbc, head, lane, verdict, DeliveryState.BLOCKED, withOptional);
            lanes.block(jdbc, lane, head.seq());
        } else if (verdict instanceof Verdict.Dead) {
            bury(jdbc, head, verdict, false, withOptional);
            jdbc.update(sql.deleteDelivery, head.id(), verdict.handler(), head.seq());
            if (split) {
                lanes.resume(jdbc, lane, head.seq());
            }
        }
    }

    private void write(Jdbc jdbc, Head head, WaitingLane lane, Verdict verdict, int state, boolean withOptional)
            throws SQLException {
        String error = withOptional ? ErrorText.clean(verdict.error(), ErrorText.DELIVERY_LIMIT) : null;
        int changed = jdbc.update(
                sql.changeDelivery, state, verdict.attempts(), error, head.id(), verdict.handler(), head.seq());
        if (changed == 0) {
            jdbc.update(
                    sql.addDelivery,
                    head.id(),
                    verdict.handler(),
                    head.seq(),
                    lane.lane(),
                    lane.shard(),
                    state,
                    verdict.attempts(),
                    error);
        }
    }

    /** A dead letter that was replayed and died again replaces itself. */
    private void bury(Jdbc jdbc, Head head, Verdict verdict, boolean blocked, boolean withOptional)
            throws SQLException {
        jdbc.update(sql.unbury, head.id(), verdict.handler());
        jdbc.update(
                sql.bury,
                verdict.handler(),
                verdict.attempts(),
                withOptional ? ErrorText.clean(verdict.error(), ErrorText.DEAD_LETTER_LIMIT) : null,
                blocked ? 1 : 0,
                head.seq(),
                head.id());
    }

    private void finish(Jdbc jdbc, Head head, boolean keep) throws SQLException {
        jdbc.update(sql.deleteDone, head.id(), head.seq());
        if (!states(jdbc, head).isEmpty()) {
            jdbc.update(sql.splitMessage, head.seq(), head.id());
            return;
        }
        if (keep && !jdbc.exists(sql.anyDead(1), head.id())) {
            jdbc.update(sql.keepMessage, head.seq(), head.id());
        }
        jdbc.update(sql.deleteMessage, head.seq(), head.id());
    }

    private Map<String, Integer> states(Jdbc jdbc, Head head) throws SQLException {
        Map<String, Integer> states = new HashMap<>();
        jdbc.list(
                        sql.deliveries,
                        row -> new Delivery(row.getString("handler"), row.getInt("state")),
                        head.id(),
                        head.seq())
                .forEach(delivery -> states.put(delivery.handler(), delivery.state()));
        return states;
    }
}
