package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.ErrorText;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.Resolution;
import io.outboxed.internal.store.jdbc.DeliveryRows.Delivery;
import io.outboxed.internal.store.sql.Sql;
import io.outboxed.internal.store.sql.StateCodes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** The rows that follow from resolutions, by statement. */
final class ResolvedRows {
    private final Sql sql;
    private final boolean keepHistory;
    private final boolean withOptional;
    private final List<Object[]> changedDeliveries = new ArrayList<>();
    private final List<Object[]> addedDeliveries = new ArrayList<>();
    private final List<Object[]> deletedDeliveries = new ArrayList<>();
    private final List<Object[]> deadLetters = new ArrayList<>();
    private final List<Object[]> deadKeys = new ArrayList<>();
    private final List<MessageHead> gone = new ArrayList<>();
    private final List<MessageHead> partlyDone = new ArrayList<>();
    private final List<MessageHead> split = new ArrayList<>();
    private final List<MessageHead> ended = new ArrayList<>();
    private final List<MessageHead> kept = new ArrayList<>();

    /** @param withOptional error texts and history */
    ResolvedRows(Sql sql, boolean keepHistory, boolean withOptional) {
        this.sql = sql;
        this.keepHistory = keepHistory && withOptional;
        this.withOptional = withOptional;
    }

    /** Its row has been deleted by hand: what is left of it goes too. */
    void addGone(MessageHead head) {
        gone.add(head);
    }

    /** @param before its deliveries, by handler */
    void add(FencedWrite.Resolve resolve, MessageState status, Map<String, Delivery> before) {
        MessageHead head = resolve.head();
        Set<String> open = new HashSet<>();
        before.values().stream().filter(Delivery::isOpen).forEach(each -> open.add(each.handler()));
        boolean anyDead = false;
        for (Resolution resolution : resolve.resolutions()) {
            Delivery delivery = before.get(resolution.handler());
            // a success is on record: a done row for a whole message, no row for a split one
            boolean succeeded =
                    status == MessageState.SPLIT ? delivery == null : delivery != null && !delivery.isOpen();
            if (!succeeded) {
                add(head, resolution, delivery != null, open);
                anyDead |= resolution instanceof Resolution.Dead;
            }
        }
        if (before.values().stream().anyMatch(each -> !each.isOpen())) {
            partlyDone.add(head);
        }
        (open.isEmpty() ? ended : split).add(head);
        if (open.isEmpty() && keepHistory && !anyDead) {
            kept.add(head);
        }
    }

    private void add(MessageHead head, Resolution resolution, boolean exists, Set<String> open) {
        if (resolution instanceof Resolution.Retry retry) {
            write(head, resolution, exists, DeliveryState.WAITING, retry.delayMicros());
            open.add(resolution.handler());
        } else if (resolution instanceof Resolution.Blocked) {
            deadLetter(head, resolution, true);
            write(head, resolution, exists, DeliveryState.BLOCKED, 0);
            open.add(resolution.handler());
        } else if (resolution instanceof Resolution.Dead) {
            deadLetter(head, resolution, false);
            if (exists) {
                deletedDeliveries.add(new Object[] {head.id(), resolution.handler(), head.seq()});
            }
            open.remove(resolution.handler());
        }
    }

    private void write(MessageHead head, Resolution resolution, boolean exists, DeliveryState state, long delayMicros) {
        String error = withOptional ? ErrorText.clean(resolution.error(), ErrorText.DELIVERY_LIMIT) : null;
        if (exists) {
            changedDeliveries.add(new Object[] {
                resolution.group(),
                StateCodes.code(state),
                resolution.attempts(),
                delayMicros,
                error,
                head.id(),
                resolution.handler(),
                head.seq()
            });
        } else {
            addedDeliveries.add(new Object[] {
                head.id(),
                resolution.handler(),
                resolution.group(),
                head.seq(),
                head.lane(),
                head.shard(),
                StateCodes.code(state),
                resolution.attempts(),
                delayMicros,
                error
            });
        }
    }

    private void deadLetter(MessageHead head, Resolution resolution, boolean blocking) {
        deadKeys.add(new Object[] {head.id(), resolution.handler()});
        deadLetters.add(new Object[] {
            resolution.handler(),
            resolution.group(),
            resolution.attempts(),
            withOptional ? ErrorText.clean(resolution.error(), ErrorText.DEAD_LETTER_LIMIT) : null,
            blocking ? 1 : 0,
            head.seq(),
            head.id()
        });
    }

    void flush(Jdbc jdbc) throws SQLException {
        jdbc.batch(sql.deliveries.deleteDeliveries, keys(gone));
        jdbc.batch(sql.deliveries.changeDelivery, changedDeliveries);
        jdbc.batch(sql.deliveries.addDelivery, addedDeliveries);
        List<UUID> ids = Stream.concat(
                        deadKeys.stream().map(key -> (UUID) key[0]),
                        kept.stream().map(MessageHead::id))
                .toList();
        Set<UUID> dead = DeliveryRows.withDeadLetters(jdbc, sql, ids);
        // a dead letter that was replayed and died again replaces its earlier one
        jdbc.batch(
                sql.deadLetters.deleteDeadLetter,
                deadKeys.stream().filter(key -> dead.contains(key[0])).toList());
        addDeadLetters(jdbc);
        jdbc.batch(sql.deliveries.deleteDelivery, deletedDeliveries);
        jdbc.batch(sql.deliveries.deleteDone, keys(partlyDone));
        MessageKeys.of(split).update(jdbc, sql.messages.splitRows);
        MessageKeys.of(kept.stream().filter(head -> !dead.contains(head.id())).toList())
                .update(jdbc, sql.messages.keepRows);
        MessageKeys.of(ended).update(jdbc, sql.messages.deleteRows);
    }

    /**
     * One by one on MariaDB, whose protocol for batches takes no INSERT with SELECT (error 1295), see
     * https://mariadb.com/kb/en/com_stmt_bulk_execute/
     */
    private void addDeadLetters(Jdbc jdbc) throws SQLException {
        if (jdbc.dialect() != Dialect.MARIADB) {
            jdbc.batch(sql.deadLetters.addDeadLetter, deadLetters);
            return;
        }
        for (Object[] letter : deadLetters) {
            jdbc.update(sql.deadLetters.addDeadLetter, letter);
        }
    }

    private static List<Object[]> keys(List<MessageHead> heads) {
        return heads.stream().map(head -> new Object[] {head.id(), head.seq()}).toList();
    }
}
