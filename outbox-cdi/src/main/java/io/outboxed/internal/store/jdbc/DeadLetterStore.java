package io.outboxed.internal.store.jdbc;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.database.Conditions;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.DeadLetterPosition;
import io.outboxed.internal.store.jdbc.DeadLetterActions.Action;
import io.outboxed.internal.store.jdbc.DeadLetterActions.Letter;
import io.outboxed.internal.store.jdbc.DeadLetterBatches.Batch;
import io.outboxed.internal.store.sql.DeadLetterConditions;
import io.outboxed.internal.store.sql.DeadLetterSql;
import io.outboxed.internal.store.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Lets an operator handle dead letters. Safe while relays run: it locks the shard row, whichever node owns the shard.
 */
public final class DeadLetterStore implements AutoCloseable {
    /** How many are read at once. */
    private static final int BATCH = 100;

    private final ConnectionSource source;
    private final Dialect dialect;
    private final Connections searches;
    private final Connections changes;
    private final Sql sql;
    private final LaneRows lanes;
    private final DeadLetterActions actions;

    /**
     * @param source opens connections that take part in no JTA transaction: one for searches, which may take long,
     *     one for single changes, and one for each bulk replay or discard
     */
    public DeadLetterStore(ConnectionSource source, Dialect dialect, String prefix) {
        this.source = source;
        this.dialect = dialect;
        this.searches = Connections.forOperators(source, dialect, 1);
        this.changes = Connections.forOperators(source, dialect, 1);
        this.sql = new Sql(dialect, prefix);
        this.lanes = new LaneRows(sql);
        this.actions = new DeadLetterActions(sql);
    }

    /**
     * One delivery's dead letter: whichever there is, or only the one that somebody has seen. If it is replayed and the
     * delivery is given up again, that is another one.
     *
     * @param diedAtMicros microseconds since 1970 UTC, on the database's clock; null for whichever there is
     */
    public record Target(UUID messageId, String handler, Long diedAtMicros) {

        public static Target whichever(UUID messageId, String handler) {
            return new Target(messageId, handler, null);
        }

        public static Target only(DeadLetter seen) {
            return new Target(
                    seen.messageId(),
                    seen.handler(),
                    DeadLetterPosition.of(seen).diedAtMicros());
        }

        private boolean includes(long diedAt) {
            return diedAtMicros == null || diedAtMicros == diedAt;
        }
    }

    /** Learns what becomes of each of many dead letters. */
    @FunctionalInterface
    public interface DeadLetterListener {
        /** Called after its commit; if this throws, the rest is left alone. */
        void changed(DeadLetter letter);

        /** It was left as it is, because another transaction has locked its message. */
        default void locked(DeadLetter letter) {}

        /** It was left as it is: its message is gone, and a replay without its place was not accepted. */
        default void lostPlace(DeadLetter letter) {}
    }

    /**
     * Finds dead letters, the newest first.
     *
     * @param after the last row of the previous page, or null
     */
    public List<DeadLetter> find(DeadLetterFilter filter, DeadLetterPosition after, int limit) {
        return find(searches, filter, after, limit);
    }

    /** Those of one event. Asked before a change too, so it does not wait for searches. */
    public List<DeadLetter> ofEvent(UUID messageId, int limit) {
        return find(changes, DeadLetterFilter.all().message(messageId), null, limit);
    }

    private List<DeadLetter> find(Connections on, DeadLetterFilter filter, DeadLetterPosition after, int limit) {
        Conditions page = DeadLetterConditions.beyond(
                DeadLetterConditions.of(filter, sql.dialect()), DeadLetterSql.DIED_BEFORE, after);
        return on.autoCommit(
                jdbc -> jdbc.list(sql.deadLetters.newestDead(page.texts()), row -> row(jdbc, row), page.values(limit)));
    }

    /** As {@link #ofEvent}, for one handler. */
    public Optional<DeadLetter> get(UUID messageId, String handler) {
        return changes.autoCommit(
                jdbc -> jdbc.first(sql.deadLetters.oneDead, row -> row(jdbc, row), messageId, handler));
    }

    /** As {@link #get(UUID, String)}, but no other one than the target. */
    public Optional<DeadLetter> get(Target target) {
        return get(target.messageId(), target.handler())
                .filter(letter -> target.includes(DeadLetterPosition.of(letter).diedAtMicros()));
    }

    /** Stops at {@link DeadLetters#MAX_COUNT}. */
    public long count(DeadLetterFilter filter) {
        return count(DeadLetterConditions.of(filter, sql.dialect()));
    }

    /** Counts those whose replay does not keep the order of their aggregate. Stops at {@link DeadLetters#MAX_COUNT}. */
    public long countBehindNewer(DeadLetterFilter filter) {
        return count(DeadLetterConditions.of(filter, sql.dialect())
                .and(DeadLetterSql.DEAD_BLOCKING, 0)
                .and(DeadLetterSql.DEAD_OF_AGGREGATE, 1));
    }

    private long count(Conditions conditions) {
        return searches.autoCommit(jdbc -> jdbc.number(
                        sql.deadLetters.countDead(conditions.texts()), conditions.values(DeadLetters.MAX_COUNT))
                .orElseThrow());
    }

    /**
     * Delivers once more, with a new set of attempts. A blocked delivery continues in its place; one that was skipped
     * becomes a new row at the end of its lane, with the same event id, for this handler only.
     *
     * @param allowReordering whether the event may come behind newer ones of its aggregate; otherwise it is left as it
     *     is, unless it has its place, or no aggregate
     * @return false if there is no such dead letter, or if it is left
     */
    public boolean replay(Target target, boolean allowReordering, ChangeRecorder recorder) {
        return change(target, actions.replay(allowReordering).recordedBy(recorder));
    }

    /**
     * Replays the oldest first; dead letters that are added during the call are left alone.
     *
     * @param allowReordering if false, those that would come behind newer events of their aggregate are left alone
     * @return how many
     */
    public int replay(
            DeadLetterFilter filter,
            int atMost,
            boolean allowReordering,
            ChangeRecorder recorder,
            DeadLetterListener listener) {
        return changeMany(
                filter,
                atMost,
                !allowReordering,
                actions.replay(allowReordering).recordedBy(recorder),
                listener);
    }

    /** What takes the place of a dead letter, in the form in which that was stored: text, or its bytes. */
    public record Edited(UUID id, String payload, int bytes) {}

    /**
     * Replaces the dead letter by a new event for its handler, at the end of its lane. A blocked delivery is given up
     * and its lane continues.
     *
     * @return false if there is none
     */
    public boolean replace(Target target, Edited edited, ChangeRecorder recorder) {
        return change(target, actions.replace(edited).recordedBy(recorder));
    }

    /**
     * Deletes the dead letter; a blocked delivery is given up and its lane continues.
     *
     * @return false if there is none
     */
    public boolean discard(Target target, ChangeRecorder recorder) {
        return change(target, actions.discard().recordedBy(recorder));
    }

    /**
     * Discards the oldest first; dead letters that are added during the call are left alone.
     *
     * @return how many
     */
    public int discard(DeadLetterFilter filter, int atMost, ChangeRecorder recorder, DeadLetterListener listener) {
        return changeMany(filter, atMost, false, actions.discard().recordedBy(recorder), listener);
    }

    private int changeMany(
            DeadLetterFilter filter, int atMost, boolean inOrder, Action action, DeadLetterListener listener) {
        try (Connections own = new Connections(source, dialect, 1)) {
            DeadLetterBatches batches = batches(own);
            DeadLetterFilter bounded = batches.bounded(filter);
            int count = 0;
            Batch batch = Batch.NONE_YET;
            do {
                batch = batches.change(
                        bounded, batch.last(), Math.min(BATCH, atMost - count), inOrder, action, listener);
                count += batch.changed();
            } while (batch.last() != null && count < atMost);
            return count;
        }
    }

    /** @param on used one at a time */
    public DeadLetterBatches batches(Connections on) {
        return new DeadLetterBatches(on, sql, this, actions);
    }

    private boolean change(Target target, Action action) {
        return change(
                changes,
                target.messageId(),
                target.handler(),
                now -> target.includes(now.diedAtMicros()),
                action,
                () -> true);
    }

    /**
     * @param wanted asked under the lock; another one is left alone
     * @param mayWait asked if another transaction has locked the message
     */
    boolean change(
            Connections on,
            UUID messageId,
            String handler,
            Predicate<Letter> wanted,
            Action action,
            BooleanSupplier mayWait) {
        try {
            return changeAtOnce(on, messageId, handler, wanted, action);
        } catch (StoreException e) {
            if (!MessageRow.isLocked(e) || !mayWait.getAsBoolean()) {
                throw e;
            }
            MessageRow.await(on, sql, sql.deadLetters.deadRow, messageId, handler);
            return changeAtOnce(on, messageId, handler, wanted, action);
        }
    }

    private boolean changeAtOnce(
            Connections on, UUID messageId, String handler, Predicate<Letter> wanted, Action action) {
        return on.transaction(jdbc -> {
            Optional<Integer> shard =
                    jdbc.first(sql.deadLetters.deadRow, row -> row.getInt("shard"), messageId, handler);
            if (shard.isEmpty()) {
                return false;
            }
            // the same order as every decision: shard, then message; it also serialises two operators
            jdbc.exists(sql.nodes.lockShard, shard.get());
            Optional<Letter> letter = jdbc.first(
                    sql.deadLetters.deadLetter, row -> Letter.of(messageId, handler, row), messageId, handler);
            if (letter.isEmpty() || !wanted.test(letter.get())) {
                return false;
            }
            if (!action.apply(jdbc, letter.get())) {
                return false;
            }
            jdbc.update(sql.deadLetters.deleteDeadLetter, messageId, handler);
            if (letter.get().blocking()) {
                // even if its message was deleted: otherwise nothing would free the lane
                lanes.refresh(jdbc, letter.get().waitingLane());
            }
            return true;
        });
    }

    static DeadLetter row(Jdbc jdbc, ResultSet row) throws SQLException {
        return new DeadLetter(
                jdbc.uuid(row, "message_id"),
                row.getString("type"),
                Objects.requireNonNullElse(row.getString("aggregate_type"), ""),
                Objects.requireNonNullElse(row.getString("aggregate_id"), ""),
                row.getString("handler"),
                row.getString("handler_group"),
                row.getInt("attempts"),
                row.getString("error"),
                EpochMicros.toInstant(row.getLong("created")),
                EpochMicros.toInstant(row.getLong("died_at")),
                row.getInt("blocking") == 1);
    }

    @Override
    public void close() {
        searches.close();
        changes.close();
    }
}
