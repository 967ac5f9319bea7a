package io.outboxed.internal.store;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

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

    private record Delivery(String handler, String group, int state) {}

    void judge(Jdbc jdbc, Decision.Judge judge, boolean withOptional) throws SQLException {
        Head head = judge.head();
        // the message row first: whoever touches its deliveries holds it
        Optional<MessageRow> locked = MessageRow.lock(jdbc, sql, head);
        MessageRow message = locked.orElse(new MessageRow(head.status(), head.shard(), head.lane()));
        Map<String, Delivery> deliveries = deliveries(jdbc, head);
        Set<String> groups = new HashSet<>();
        for (Verdict verdict : judge.verdicts()) {
            groups.add(verdict.group());
            Delivery before = deliveries.get(verdict.handler());
            if (before != null && before.state() != DeliveryState.DONE) {
                groups.add(before.group());
            }
        }
        if (locked.isPresent()) {
            carryOut(jdbc, judge, message, deliveries, withOptional);
        } else {
            jdbc.update(sql.deleteDeliveries, head.id(), head.seq());
        }
        lanes.refresh(jdbc, message, head.seq(), groups);
    }

    private void carryOut(
            Jdbc jdbc, Decision.Judge judge, MessageRow message, Map<String, Delivery> deliveries, boolean withOptional)
            throws SQLException {
        boolean split = message.status() == Head.Status.SPLIT;
        boolean anyDead = false;
        for (Verdict verdict : judge.verdicts()) {
            Delivery before = deliveries.get(verdict.handler());
            // a success is on record: a done row beside a whole message, no row beside a split one
            boolean succeeded = split ? before == null : before != null && before.state() == DeliveryState.DONE;
            if (!succeeded) {
                carryOut(jdbc, judge.head(), message, verdict, withOptional);
                anyDead |= verdict instanceof Verdict.Dead;
            }
        }
        finish(jdbc, judge.head(), keepHistory && withOptional && !anyDead);
    }

    private void carryOut(Jdbc jdbc, Head head, MessageRow message, Verdict verdict, boolean withOptional)
            throws SQLException {
        if (verdict instanceof Verdict.Retry retry) {
            write(jdbc, head, message, verdict, DeliveryState.PENDING, retry.delayMicros(), withOptional);
        } else if (verdict instanceof Verdict.Blocked) {
            bury(jdbc, head, verdict, true, withOptional);
            write(jdbc, head, message, verdict, DeliveryState.BLOCKED, 0, withOptional);
        } else if (verdict instanceof Verdict.Dead) {
            bury(jdbc, head, verdict, false, withOptional);
            jdbc.update(sql.deleteDelivery, head.id(), verdict.handler(), head.seq());
        }
    }

    private void write(
            Jdbc jdbc,
            Head head,
            MessageRow message,
            Verdict verdict,
            int state,
            long delayMicros,
            boolean withOptional)
            throws SQLException {
        String error = withOptional ? ErrorText.clean(verdict.error(), ErrorText.DELIVERY_LIMIT) : null;
        int changed = jdbc.update(
                sql.changeDelivery,
                verdict.group(),
                state,
                verdict.attempts(),
                delayMicros,
                error,
                head.id(),
                verdict.handler(),
                head.seq());
        if (changed == 0) {
            jdbc.update(
                    sql.addDelivery,
                    head.id(),
                    verdict.handler(),
                    verdict.group(),
                    head.seq(),
                    message.lane(),
                    message.shard(),
                    state,
                    verdict.attempts(),
                    delayMicros,
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
                verdict.group(),
                verdict.attempts(),
                withOptional ? ErrorText.clean(verdict.error(), ErrorText.DEAD_LETTER_LIMIT) : null,
                blocked ? 1 : 0,
                head.seq(),
                head.id());
    }

    private void finish(Jdbc jdbc, Head head, boolean keep) throws SQLException {
        jdbc.update(sql.deleteDone, head.id(), head.seq());
        if (jdbc.exists(sql.deliveries, head.id(), head.seq())) {
            jdbc.update(sql.splitMessage, head.seq(), head.id());
            return;
        }
        if (keep && !jdbc.exists(sql.anyDead(1), head.id())) {
            jdbc.update(sql.keepMessage, head.seq(), head.id());
        }
        jdbc.update(sql.deleteMessage, head.seq(), head.id());
    }

    private Map<String, Delivery> deliveries(Jdbc jdbc, Head head) throws SQLException {
        return jdbc
                .list(
                        sql.deliveries,
                        row -> new Delivery(
                                row.getString("handler"), row.getString("handler_group"), row.getInt("state")),
                        head.id(),
                        head.seq())
                .stream()
                .collect(Collectors.toMap(Delivery::handler, Function.identity()));
    }
}
