package io.outboxed.internal.store.jdbc;

import io.outboxed.DeadLetter;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.database.Conditions;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.DeadLetterPosition;
import io.outboxed.internal.store.jdbc.DeadLetterActions.Action;
import io.outboxed.internal.store.jdbc.DeadLetterStore.DeadLetterListener;
import io.outboxed.internal.store.sql.DeadLetterConditions;
import io.outboxed.internal.store.sql.DeadLetterSql;
import io.outboxed.internal.store.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Changes many dead letters batch by batch, the oldest first, each in a transaction of its own. What has died again since
 * it was read is left alone.
 */
public final class DeadLetterBatches {
    /** How many rows a batch reads to find its own: no statement may take long, however few are wanted. */
    static final int STEP = 5_000;

    private final Connections on;
    private final Sql sql;
    private final DeadLetterStore letters;
    private final DeadLetterActions actions;

    DeadLetterBatches(Connections on, Sql sql, DeadLetterStore letters, DeadLetterActions actions) {
        this.on = on;
        this.sql = sql;
        this.letters = letters;
        this.actions = actions;
    }

    /**
     * One batch.
     *
     * @param last its end, from which the next one continues; null if there was nothing left
     */
    public record Batch(DeadLetterPosition last, int changed) {
        static final Batch NONE_YET = new Batch(null, 0);
    }

    private record Found(DeadLetter letter, long seq) {}

    /** With a bound on the database's clock: what dies from now on is not included. */
    public DeadLetterFilter bounded(DeadLetterFilter filter) {
        Instant now = EpochMicros.toInstant(
                on.autoCommit(jdbc -> jdbc.number(sql.statistics.clock)).orElseThrow());
        boolean isEarlier = filter.diedUntil() != null && filter.diedUntil().isBefore(now);
        return isEarlier ? filter : filter.diedUntil(now);
    }

    /**
     * Replays a batch.
     *
     * @param after the end of the previous batch, or null
     * @param limit how many at most
     * @param allowReordering if false, those that would come behind newer events of their aggregate are left alone
     */
    public Batch replay(
            DeadLetterFilter filter,
            DeadLetterPosition after,
            int limit,
            boolean allowReordering,
            ChangeRecorder recorder,
            DeadLetterListener listener) {
        return change(
                filter,
                after,
                limit,
                !allowReordering,
                actions.replay(allowReordering).recordedBy(recorder),
                listener);
    }

    /** Discards a batch, as {@link #replay} replays it. */
    public Batch discard(
            DeadLetterFilter filter,
            DeadLetterPosition after,
            int limit,
            ChangeRecorder recorder,
            DeadLetterListener listener) {
        return change(filter, after, limit, false, actions.discard().recordedBy(recorder), listener);
    }

    /**
     * Those of one lane are changed in the lane's order.
     *
     * @param inOrder only those whose replay keeps the order of their aggregate
     */
    Batch change(
            DeadLetterFilter filter,
            DeadLetterPosition after,
            int limit,
            boolean inOrder,
            Action action,
            DeadLetterListener listener) {
        Step step = step(filter, after, limit, inOrder);
        List<Found> batch = step.found();
        int count = 0;
        AtomicBoolean mayWait = new AtomicBoolean(true);
        for (Found found :
                batch.stream().sorted(Comparator.comparing(Found::seq)).toList()) {
            DeadLetter letter = found.letter();
            if (changeUnlessLocked(letter, action, mayWait, listener)) {
                count++;
                listener.changed(letter);
            }
        }
        return new Batch(batch.size() == limit || step.end() == null ? lastOf(batch) : step.end(), count);
    }

    private static DeadLetterPosition lastOf(List<Found> batch) {
        return batch.isEmpty()
                ? null
                : DeadLetterPosition.of(batch.get(batch.size() - 1).letter());
    }

    /** @param end of the rows among which it has looked; null if there are no more */
    private record Step(List<Found> found, DeadLetterPosition end) {}

    private Step step(DeadLetterFilter filter, DeadLetterPosition after, int limit, boolean inOrder) {
        return on.autoCommit(jdbc -> {
            DeadLetterPosition end = filter.messageId() == null ? endOfStep(jdbc, filter, after) : null;
            Conditions batch = DeadLetterConditions.within(
                    DeadLetterConditions.beyond(
                            DeadLetterConditions.of(filter, sql.dialect()), DeadLetterSql.DIED_AFTER, after),
                    end);
            if (inOrder) {
                batch = batch.and(DeadLetterSql.KEEPS_ORDER, 1, 0);
            }
            return new Step(
                    jdbc.list(sql.deadLetters.oldestDead(batch.texts()), row -> found(jdbc, row), batch.values(limit)),
                    end);
        });
    }

    private DeadLetterPosition endOfStep(Jdbc jdbc, DeadLetterFilter filter, DeadLetterPosition after)
            throws SQLException {
        DeadLetterFilter ofTheTime =
                DeadLetterFilter.all().diedSince(filter.diedSince()).diedUntil(filter.diedUntil());
        Conditions all = DeadLetterConditions.beyond(
                DeadLetterConditions.of(ofTheTime, sql.dialect()), DeadLetterSql.DIED_AFTER, after);
        return jdbc.first(
                        sql.deadLetters.endOfStep(all.texts()),
                        row -> new DeadLetterPosition(
                                row.getLong("died_at"), jdbc.uuid(row, "message_id"), row.getString("handler")),
                        all.values(STEP - 1))
                .orElse(null);
    }

    private static Found found(Jdbc jdbc, ResultSet row) throws SQLException {
        return new Found(DeadLetterStore.row(jdbc, row), row.getLong("seq"));
    }

    /** Whoever has locked the message may be frozen or in doubt for hours: a batch waits only once. */
    private boolean changeUnlessLocked(
            DeadLetter letter, Action action, AtomicBoolean mayWait, DeadLetterListener listener) {
        long diedAt = DeadLetterPosition.of(letter).diedAtMicros();
        AtomicBoolean left = new AtomicBoolean();
        try {
            boolean changed = letters.change(
                    on,
                    letter.messageId(),
                    letter.handler(),
                    now -> now.diedAtMicros() == diedAt,
                    (jdbc, now) -> {
                        left.set(!action.apply(jdbc, now));
                        return !left.get();
                    },
                    () -> mayWait.getAndSet(false));
            if (left.get()) {
                listener.lostPlace(letter);
            }
            return changed;
        } catch (StoreException e) {
            // only a blocked one has a message, and keeps its place: of others, a later one must not be replayed first
            if (!MessageRow.isLocked(e)) {
                throw e.about("the dead letter of handler " + letter.handler() + " and message " + letter.messageId());
            }
            listener.locked(letter);
            return false;
        }
    }
}
