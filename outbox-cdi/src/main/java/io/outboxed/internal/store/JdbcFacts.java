package io.outboxed.internal.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Successes of handlers that ran outside a transaction. The row's present status decides, not the one that the handler's
 * node once read: a late fact of a node that lost its lease can then neither revive a message nor leave rows behind. And it
 * settles none that its successor has taken over: that row has another version.
 */
final class JdbcFacts {
    private final Connections connections;
    private final Sql sql;
    private final boolean keepHistory;
    private final Consumer<StoreException> dropped;

    JdbcFacts(Connections connections, Sql sql, boolean keepHistory, Consumer<StoreException> dropped) {
        this.connections = connections;
        this.sql = sql;
        this.keepHistory = keepHistory;
        this.dropped = dropped;
    }

    void settle(List<Settled> batch) {
        Stuck stuck = new Stuck();
        List<Settled> inOrder = batch.stream()
                .sorted(Comparator.comparingLong(settled -> settled.head().seq()))
                .toList();
        settle(inOrder, stuck);
        if (stuck.refused != null) {
            throw stuck.refused;
        }
        if (!stuck.lanes.isEmpty()) {
            throw MessageRow.held("a message of this batch");
        }
    }

    /** Lanes in which a row could not be settled: nothing behind it is. */
    private static final class Stuck {
        private final Set<Long> lanes = new HashSet<>();
        private StoreException refused;
    }

    private void settle(List<Settled> inOrder, Stuck stuck) {
        List<Settled> batch =
                select(inOrder, settled -> !stuck.lanes.contains(settled.head().lane()));
        if (batch.isEmpty()) {
            return;
        }
        try {
            if (deletedAtOnce(batch)) {
                return;
            }
            stuck.lanes.addAll(connections.transaction(jdbc -> settle(jdbc, batch, keepHistory)));
        } catch (StoreException e) {
            if (e.isTransient()) {
                throw e;
            }
            halve(batch, e, stuck);
        }
    }

    /**
     * The usual case, one statement: nothing but the row itself is to be removed. What it leaves needs a closer look, and
     * must not have been overtaken by a later one of its lane.
     */
    private boolean deletedAtOnce(List<Settled> batch) {
        if (keepHistory || sql.deleteUntouchedRows.isEmpty() || !batch.stream().allMatch(JdbcFacts::looksUntouched)) {
            return false;
        }
        boolean eachLaneOnce =
                batch.stream().map(settled -> settled.head().lane()).distinct().count() == batch.size();
        return eachLaneOnce
                ? connections.read(jdbc -> deletesAll(jdbc, batch))
                : connections.transaction(jdbc -> {
                    boolean all = deletesAll(jdbc, batch);
                    if (!all) {
                        jdbc.connection().rollback();
                    }
                    return all;
                });
    }

    private boolean deletesAll(Jdbc jdbc, List<Settled> batch) throws SQLException {
        return keys(batch).update(jdbc, sql.deleteUntouchedRows.orElseThrow()) == batch.size();
    }

    private static boolean wasWaiting(Settled settled) {
        return settled.how() == Settlement.WAITING || settled.how() == Settlement.LAST_WAITING;
    }

    private static boolean looksUntouched(Settled settled) {
        return settled.how() == Settlement.LAST && settled.head().version() == 0;
    }

    /**
     * A row in a frozen or doubtful transaction must not hold up other lanes.
     *
     * @return the lanes in which there was one, left as it was with all that follows
     */
    private Set<Long> settle(Jdbc jdbc, List<Settled> batch, boolean keep) throws SQLException {
        List<Keys.Row> free = keys(batch).lockFree(jdbc, sql);
        Set<Keys.Key> locked = free.stream().map(Keys.Row::key).collect(Collectors.toSet());
        Set<Long> held = keys(select(batch, settled -> !locked.contains(Keys.Key.of(settled.head()))))
                .existing(jdbc, sql);
        Map<Long, Long> firstHeld = new HashMap<>();
        for (Settled settled : batch) {
            if (held.contains(settled.head().seq())) {
                firstHeld.merge(settled.head().lane(), settled.head().seq(), Math::min);
            }
        }
        settleLocked(
                jdbc,
                select(
                        batch,
                        settled -> settled.head().seq()
                                < firstHeld.getOrDefault(settled.head().lane(), Long.MAX_VALUE)),
                free,
                keep);
        return firstHeld.keySet();
    }

    /** Which one is refused? The first half is settled before anything that may follow it. */
    private void halve(List<Settled> batch, StoreException refused, Stuck stuck) {
        if (batch.size() > 1) {
            int middle = batch.size() / 2;
            settle(batch.subList(0, middle), stuck);
            settle(batch.subList(middle, batch.size()), stuck);
        } else if (keepHistory) {
            stuck.lanes.addAll(connections.transaction(jdbc -> settle(jdbc, batch, false)));
            dropped.accept(refused);
        } else {
            stuck.lanes.add(batch.get(0).head().lane());
            stuck.refused = refused;
        }
    }

    private void settleLocked(Jdbc jdbc, List<Settled> batch, List<Keys.Row> rows, boolean keep) throws SQLException {
        Map<Long, Keys.Row> locked = new TreeMap<>();
        rows.forEach(row -> locked.put(row.seq(), row));
        Predicate<Settled> present = settled -> {
            Keys.Row row = locked.get(settled.head().seq());
            return row != null && row.id().equals(settled.head().id());
        };
        Predicate<Settled> unchanged = settled ->
                locked.get(settled.head().seq()).version() == settled.head().version();
        Predicate<Settled> split = settled -> locked.get(settled.head().seq()).status() == Head.Status.SPLIT;
        List<Settled> left = select(batch, present);
        // a success of the whole row is older than what has split it: its node has lost the lease since
        List<Settled> waiting = select(left, split.and(JdbcFacts::wasWaiting));
        List<Settled> whole = select(left, split.negate().and(unchanged));
        List<Settled> done = select(whole, settled -> settled.how() != Settlement.LAST);
        List<Settled> last = select(whole, settled -> settled.how() == Settlement.LAST);

        jdbc.batch(sql.addDone, done.stream().map(JdbcFacts::doneRow).toList());
        // one that is blocked by now has its dead letter, and its lane waits for an operator, who decides
        jdbc.batch(
                sql.deletePending, waiting.stream().map(JdbcFacts::deliveryRow).toList());
        Set<Long> open = openSeqs(jdbc, waiting);
        List<Settled> ended = new ArrayList<>(last);
        ended.addAll(select(waiting, settled -> !open.contains(settled.head().seq())));
        end(jdbc, ended, keep);
        Set<UUID> withDone = new HashSet<>();
        done.forEach(settled -> withDone.add(settled.head().id()));
        jdbc.batch(
                sql.deleteDeliveries,
                names(select(
                        ended,
                        settled -> withDone.contains(settled.head().id())
                                || !locked.get(settled.head().seq()).isUntouched())));
        keys(done).update(jdbc, sql.touchRows);
        keys(select(waiting, settled -> open.contains(settled.head().seq()))).update(jdbc, sql.touchRows);
    }

    private void end(Jdbc jdbc, List<Settled> ended, boolean keep) throws SQLException {
        if (keep) {
            Set<UUID> dead = dead(jdbc, ended);
            keys(select(ended, settled -> !dead.contains(settled.head().id()))).update(jdbc, sql.keepRows);
        }
        keys(ended).update(jdbc, sql.deleteRows);
    }

    private Set<Long> openSeqs(Jdbc jdbc, List<Settled> waiting) throws SQLException {
        Object[] ids = ids(waiting);
        return ids.length == 0
                ? Set.of()
                : new HashSet<>(jdbc.list(sql.withDeliveries(ids.length), row -> row.getLong("seq"), ids));
    }

    private Set<UUID> dead(Jdbc jdbc, List<Settled> ended) throws SQLException {
        Object[] ids = ids(ended);
        return ids.length == 0
                ? Set.of()
                : new HashSet<>(jdbc.list(sql.anyDead(ids.length), row -> jdbc.uuid(row, "message_id"), ids));
    }

    private static Object[] ids(Collection<Settled> batch) {
        return batch.stream().map(settled -> settled.head().id()).distinct().toArray();
    }

    private static List<Settled> select(List<Settled> batch, Predicate<Settled> wanted) {
        return batch.stream().filter(wanted).toList();
    }

    private static Keys keys(List<Settled> batch) {
        return Keys.of(batch.stream().map(Settled::head).toList());
    }

    private static List<Object[]> names(List<Settled> batch) {
        return batch.stream()
                .map(settled ->
                        new Object[] {settled.head().id(), settled.head().seq()})
                .toList();
    }

    private static Object[] deliveryRow(Settled settled) {
        return new Object[] {
            settled.head().id(), settled.handler(), settled.head().seq()
        };
    }

    private static Object[] doneRow(Settled settled) {
        Head head = settled.head();
        return new Object[] {head.id(), settled.handler(), head.seq(), head.lane(), head.shard()};
    }
}
