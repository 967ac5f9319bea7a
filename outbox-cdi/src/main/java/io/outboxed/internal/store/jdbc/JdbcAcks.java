package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.Ack;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.Acks;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageKey;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Records successes of handlers outside a transaction. The row's current status decides, not the one that the handler's
 * node once read, so that a late success of a node that has lost its lease can neither revive a message nor leave rows
 * behind. Nor does it complete a message that its successor has taken over, because that row has another version.
 */
final class JdbcAcks implements Acks {
    private final Connections connections;
    private final Sql sql;
    private final boolean keepHistory;
    private final Consumer<StoreException> dropped;

    JdbcAcks(Connections connections, Sql sql, boolean keepHistory, Consumer<StoreException> dropped) {
        this.connections = connections;
        this.sql = sql;
        this.keepHistory = keepHistory;
        this.dropped = dropped;
    }

    @Override
    public void acknowledge(List<Ack> batch) {
        Stuck stuck = new Stuck();
        List<Ack> inOrder = batch.stream()
                .sorted(Comparator.comparingLong(
                        acknowledged -> acknowledged.head().seq()))
                .toList();
        acknowledge(inOrder, stuck);
        if (stuck.refused != null) {
            throw stuck.refused;
        }
        if (!stuck.lanes.isEmpty()) {
            throw MessageRow.locked("a message of this batch");
        }
    }

    /** The lanes in which a row could not be recorded; nothing behind it is recorded either. */
    private static final class Stuck {
        private final Set<Long> lanes = new HashSet<>();
        private StoreException refused;
    }

    private void acknowledge(List<Ack> inOrder, Stuck stuck) {
        List<Ack> batch = select(
                inOrder,
                acknowledged -> !stuck.lanes.contains(acknowledged.head().lane()));
        if (batch.isEmpty()) {
            return;
        }
        try {
            if (deletedAtOnce(batch)) {
                return;
            }
            stuck.lanes.addAll(connections.transaction(jdbc -> acknowledge(jdbc, batch, keepHistory)));
        } catch (StoreException e) {
            if (e.isTransient()) {
                throw e;
            }
            halve(batch, e, stuck);
        }
    }

    /**
     * The common case in one statement, for messages that have no other rows to delete. Messages that it did not delete
     * are examined afterwards, and must not have been overtaken by a later message of their lane: if a lane occurs more
     * than once in the batch, all are deleted or none.
     */
    private boolean deletedAtOnce(List<Ack> batch) {
        if (keepHistory
                || sql.messages.deleteUntouchedRows.isEmpty()
                || !batch.stream().allMatch(JdbcAcks::looksUntouched)) {
            return false;
        }
        boolean eachLaneOnce = batch.stream()
                        .map(acknowledged -> acknowledged.head().lane())
                        .distinct()
                        .count()
                == batch.size();
        return eachLaneOnce
                ? connections.autoCommit(jdbc -> deletesAll(jdbc, batch))
                : connections.transaction(jdbc -> {
                    boolean all = deletesAll(jdbc, batch);
                    if (!all) {
                        jdbc.connection().rollback();
                    }
                    return all;
                });
    }

    private boolean deletesAll(Jdbc jdbc, List<Ack> batch) throws SQLException {
        return keys(batch).update(jdbc, sql.messages.deleteUntouchedRows.orElseThrow()) == batch.size();
    }

    private static boolean wasWaiting(Ack acknowledged) {
        return acknowledged.ackMode() == AckMode.DELETE_DELIVERY;
    }

    private static boolean looksUntouched(Ack acknowledged) {
        return acknowledged.ackMode() == AckMode.DELETE_MESSAGE
                && acknowledged.head().version() == 0;
    }

    /**
     * A row in a frozen or in-doubt transaction must not hold up other lanes.
     *
     * @return the lanes in which there was one; it and everything behind it is unchanged
     */
    private Set<Long> acknowledge(Jdbc jdbc, List<Ack> batch, boolean keep) throws SQLException {
        List<LockedMessage> free = keys(batch).lockFree(jdbc, sql);
        Set<MessageKey> locked = free.stream().map(LockedMessage::key).collect(Collectors.toSet());
        Set<Long> held = keys(select(
                        batch,
                        acknowledged -> !locked.contains(acknowledged.head().key())))
                .existing(jdbc, sql);
        Map<Long, Long> firstHeld = new HashMap<>();
        for (Ack acknowledged : batch) {
            if (held.contains(acknowledged.head().seq())) {
                firstHeld.merge(acknowledged.head().lane(), acknowledged.head().seq(), Math::min);
            }
        }
        acknowledgeLocked(
                jdbc,
                select(
                        batch,
                        acknowledged -> acknowledged.head().seq()
                                < firstHeld.getOrDefault(acknowledged.head().lane(), Long.MAX_VALUE)),
                free,
                keep);
        return firstHeld.keySet();
    }

    /** Finds the row that is rejected. The first half is recorded before anything that may follow it. */
    private void halve(List<Ack> batch, StoreException refused, Stuck stuck) {
        if (batch.size() > 1) {
            int middle = batch.size() / 2;
            acknowledge(batch.subList(0, middle), stuck);
            acknowledge(batch.subList(middle, batch.size()), stuck);
        } else if (keepHistory) {
            stuck.lanes.addAll(connections.transaction(jdbc -> acknowledge(jdbc, batch, false)));
            dropped.accept(refused);
        } else {
            stuck.lanes.add(batch.get(0).head().lane());
            stuck.refused = refused;
        }
    }

    private void acknowledgeLocked(Jdbc jdbc, List<Ack> batch, List<LockedMessage> rows, boolean keep)
            throws SQLException {
        Map<MessageKey, LockedMessage> locked = new HashMap<>();
        rows.forEach(row -> locked.put(row.key(), row));
        Predicate<Ack> unchanged =
                acknowledged -> locked.get(acknowledged.head().key()).version()
                        == acknowledged.head().version();
        Predicate<Ack> split =
                acknowledged -> locked.get(acknowledged.head().key()).status() == MessageState.SPLIT;
        List<Ack> left = select(
                batch, acknowledged -> locked.containsKey(acknowledged.head().key()));
        for (Ack acknowledged : left) {
            LockedMessage row = locked.get(acknowledged.head().key());
            acknowledged.requireNothingLost(row.status(), row.version());
        }
        // a success for the whole row is older than what has split it: its node has lost the lease since
        List<Ack> waiting = select(left, split.and(JdbcAcks::wasWaiting));
        Map<DeliveryKey, Boolean> isWaiting = deliveries(jdbc, waiting);
        // a delivery that has become blocked has its dead letter, and its lane waits for an operator, who decides
        List<Ack> answered =
                select(waiting, acknowledged -> isWaiting.getOrDefault(DeliveryKey.of(acknowledged), false));
        answered.forEach(acknowledged -> isWaiting.remove(DeliveryKey.of(acknowledged)));
        Set<Long> open =
                isWaiting.keySet().stream().map(each -> each.message().seq()).collect(Collectors.toSet());
        List<Ack> whole = select(left, split.negate().and(unchanged));
        List<Ack> done = select(whole, acknowledged -> acknowledged.ackMode() != AckMode.DELETE_MESSAGE);
        List<Ack> last = select(whole, acknowledged -> acknowledged.ackMode() == AckMode.DELETE_MESSAGE);

        jdbc.batch(sql.deliveries.addDone, done.stream().map(JdbcAcks::doneRow).toList());
        jdbc.batch(
                sql.deliveries.deleteWaiting,
                answered.stream().map(JdbcAcks::deliveryRow).toList());
        List<Ack> ended = new ArrayList<>(last);
        ended.addAll(select(
                waiting, acknowledged -> !open.contains(acknowledged.head().seq())));
        end(jdbc, ended, keep);
        Set<UUID> withDone = new HashSet<>();
        done.forEach(acknowledged -> withDone.add(acknowledged.head().id()));
        jdbc.batch(
                sql.deliveries.deleteDeliveries,
                names(select(
                        ended,
                        acknowledged -> withDone.contains(acknowledged.head().id())
                                || !locked.get(acknowledged.head().key()).isUntouched())));
        keys(done).update(jdbc, sql.messages.touchRows);
        keys(select(answered, acknowledged -> open.contains(acknowledged.head().seq())))
                .update(jdbc, sql.messages.answeredRows);
    }

    private void end(Jdbc jdbc, List<Ack> ended, boolean keep) throws SQLException {
        if (keep) {
            Set<UUID> dead = DeliveryRows.withDeadLetters(jdbc, sql, ids(ended));
            keys(select(
                            ended,
                            acknowledged -> !dead.contains(acknowledged.head().id())))
                    .update(jdbc, sql.messages.keepRows);
        }
        keys(ended).update(jdbc, sql.messages.deleteRows);
    }

    private record DeliveryKey(MessageKey message, String handler) {
        static DeliveryKey of(Ack acknowledged) {
            return new DeliveryKey(acknowledged.head().key(), acknowledged.handler());
        }
    }

    /** All deliveries of these messages, and whether they wait. */
    private Map<DeliveryKey, Boolean> deliveries(Jdbc jdbc, List<Ack> of) throws SQLException {
        Map<DeliveryKey, Boolean> found = new HashMap<>();
        DeliveryRows.of(jdbc, sql, ids(of))
                .forEach(row -> found.put(new DeliveryKey(row.message(), row.handler()), row.isWaiting()));
        return found;
    }

    private static List<UUID> ids(Collection<Ack> batch) {
        return batch.stream().map(acknowledged -> acknowledged.head().id()).toList();
    }

    private static List<Ack> select(List<Ack> batch, Predicate<Ack> wanted) {
        return batch.stream().filter(wanted).toList();
    }

    private static MessageKeys keys(List<Ack> batch) {
        return MessageKeys.of(batch.stream().map(Ack::head).toList());
    }

    private static List<Object[]> names(List<Ack> batch) {
        return batch.stream()
                .map(acknowledged -> new Object[] {
                    acknowledged.head().id(), acknowledged.head().seq()
                })
                .toList();
    }

    private static Object[] deliveryRow(Ack acknowledged) {
        return new Object[] {
            acknowledged.head().id(),
            acknowledged.handler(),
            acknowledged.head().seq()
        };
    }

    private static Object[] doneRow(Ack acknowledged) {
        MessageHead head = acknowledged.head();
        return new Object[] {head.id(), acknowledged.handler(), head.seq(), head.lane(), head.shard()};
    }
}
