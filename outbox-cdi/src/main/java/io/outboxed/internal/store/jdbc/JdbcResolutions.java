package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.ErrorText;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.Resolution;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Ends a message's turn: what follows for each handler's delivery, and for the row. */
final class JdbcResolutions {
    private final Sql sql;
    private final LaneRows lanes;
    private final boolean keepHistory;

    JdbcResolutions(Sql sql, LaneRows lanes, boolean keepHistory) {
        this.sql = sql;
        this.lanes = lanes;
        this.keepHistory = keepHistory;
    }

    private record Delivery(String handler, String group, int state) {}

    void resolve(Jdbc jdbc, FencedWrite.Resolve resolve, boolean withOptional) throws SQLException {
        MessageHead head = resolve.head();
        // the message row first: every transaction that changes its deliveries holds it
        Optional<MessageRow> locked = MessageRow.lock(jdbc, sql, head);
        MessageRow message = locked.orElse(new MessageRow(head.status(), head.shard(), head.lane()));
        Map<String, Delivery> deliveries = deliveries(jdbc, head);
        Set<String> groups = new HashSet<>();
        for (Resolution resolution : resolve.resolutions()) {
            groups.add(resolution.group());
            Delivery before = deliveries.get(resolution.handler());
            if (before != null && before.state() != DeliveryState.DONE) {
                groups.add(before.group());
            }
        }
        if (locked.isPresent()) {
            flush(jdbc, resolve, message, deliveries, withOptional);
        } else {
            jdbc.update(sql.deleteDeliveries, head.id(), head.seq());
        }
        lanes.refresh(jdbc, message, head.seq(), groups);
    }

    private void flush(
            Jdbc jdbc,
            FencedWrite.Resolve resolve,
            MessageRow message,
            Map<String, Delivery> deliveries,
            boolean withOptional)
            throws SQLException {
        boolean split = message.status() == MessageHead.Status.SPLIT;
        boolean anyDead = false;
        for (Resolution resolution : resolve.resolutions()) {
            Delivery before = deliveries.get(resolution.handler());
            // a success is on record: a done row for a whole message, no row for a split one
            boolean succeeded = split ? before == null : before != null && before.state() == DeliveryState.DONE;
            if (!succeeded) {
                flush(jdbc, resolve.head(), message, resolution, withOptional);
                anyDead |= resolution instanceof Resolution.Dead;
            }
        }
        finish(jdbc, resolve.head(), keepHistory && withOptional && !anyDead);
    }

    private void flush(Jdbc jdbc, MessageHead head, MessageRow message, Resolution resolution, boolean withOptional)
            throws SQLException {
        if (resolution instanceof Resolution.Retry retry) {
            write(jdbc, head, message, resolution, DeliveryState.PENDING, retry.delayMicros(), withOptional);
        } else if (resolution instanceof Resolution.Blocked) {
            deadLetter(jdbc, head, resolution, true, withOptional);
            write(jdbc, head, message, resolution, DeliveryState.BLOCKED, 0, withOptional);
        } else if (resolution instanceof Resolution.Dead) {
            deadLetter(jdbc, head, resolution, false, withOptional);
            jdbc.update(sql.deleteDelivery, head.id(), resolution.handler(), head.seq());
        }
    }

    private void write(
            Jdbc jdbc,
            MessageHead head,
            MessageRow message,
            Resolution resolution,
            int state,
            long delayMicros,
            boolean withOptional)
            throws SQLException {
        String error = withOptional ? ErrorText.clean(resolution.error(), ErrorText.DELIVERY_LIMIT) : null;
        int changed = jdbc.update(
                sql.changeDelivery,
                resolution.group(),
                state,
                resolution.attempts(),
                delayMicros,
                error,
                head.id(),
                resolution.handler(),
                head.seq());
        if (changed == 0) {
            jdbc.update(
                    sql.addDelivery,
                    head.id(),
                    resolution.handler(),
                    resolution.group(),
                    head.seq(),
                    message.lane(),
                    message.shard(),
                    state,
                    resolution.attempts(),
                    delayMicros,
                    error);
        }
    }

    /** A dead letter that was replayed and died again replaces its earlier one. */
    private void deadLetter(Jdbc jdbc, MessageHead head, Resolution resolution, boolean blocking, boolean withOptional)
            throws SQLException {
        jdbc.update(sql.deleteDeadLetter, head.id(), resolution.handler());
        jdbc.update(
                sql.addDeadLetter,
                resolution.handler(),
                resolution.group(),
                resolution.attempts(),
                withOptional ? ErrorText.clean(resolution.error(), ErrorText.DEAD_LETTER_LIMIT) : null,
                blocking ? 1 : 0,
                head.seq(),
                head.id());
    }

    private void finish(Jdbc jdbc, MessageHead head, boolean keep) throws SQLException {
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

    private Map<String, Delivery> deliveries(Jdbc jdbc, MessageHead head) throws SQLException {
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
