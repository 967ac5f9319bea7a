package io.outboxed.internal.boot;

import io.outboxed.internal.config.Durations;
import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.Cleanup;
import io.outboxed.internal.retention.CleanupPass;
import io.outboxed.internal.retention.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Deletes what is older than its retention: a batch in each step, of one table after another. So a table with many old
 * rows, or one that grows faster than it is cleaned, does not hold up the others. Used by one thread.
 */
final class CleanupTask implements MaintenanceTask {
    private static final long ROWS_PER_LINE = 100_000;
    /** At least; for the table that failed, after the interval for which all tables rest then. */
    private static final Duration AFTER_FAILURE = Duration.ofHours(1);

    private final Cleanup cleanup;
    private final RetentionPolicy policy;
    private final Duration interval;
    private final String prefix;
    private final Connections connections;
    private final OutboxMeters meters;
    private final CleanupAudit audit;
    private final LongSupplier nanoClock;
    /** The one that is next comes first. */
    private final Deque<Turn> turns = new ArrayDeque<>();

    CleanupTask(
            Cleanup cleanup,
            RetentionPolicy policy,
            Duration interval,
            String prefix,
            Connections connections,
            OutboxMeters meters,
            CleanupAudit audit,
            LongSupplier nanoClock) {
        this.cleanup = cleanup;
        this.policy = policy;
        this.interval = interval;
        this.prefix = prefix;
        this.connections = connections;
        this.meters = meters;
        this.audit = audit;
        this.nanoClock = nanoClock;
        policy.ages().keySet().stream().sorted().map(Turn::new).forEach(turns::add);
        turns.forEach(turn -> meters.cleaned(turn.table.suffix(), 0));
    }

    /** What is known of a table. */
    private static final class Turn {
        private final AgedTable table;
        /** Null if the next one begins anew. */
        private CleanupPass pass;

        private BatchRecorder<CleanupPass> recorder;
        /** Whether a pass has ended in this run. */
        private boolean ended;
        /** Whether the last one could not be completed. */
        private boolean failed;
        /** When the next one may begin, while other tables keep this run from its end. */
        private long dueAt;

        private Turn(AgedTable table) {
            this.table = table;
        }
    }

    @Override
    public String name() {
        return "cleanup";
    }

    @Override
    public Duration interval() {
        return interval;
    }

    @Override
    public int share() {
        return Cleanup.SHARE;
    }

    @Override
    public Step step() {
        Turn turn = next();
        CleanupPass before = turn.pass;
        turn.pass = null;
        if (before == null) {
            turn.recorder = audit.ofOnePass();
        }
        CleanupPass after;
        try {
            after = connections.autoCommit(jdbc -> cleanup.next(
                    jdbc.connection(),
                    before != null
                            ? before
                            : cleanup.begin(
                                    jdbc.connection(), turn.table, policy.ages().get(turn.table)),
                    policy.batchSize(),
                    turn.recorder));
        } catch (RuntimeException e) {
            // one that can't be cleaned does not hold up the others
            end(turn, true);
            throw e;
        }
        report(before == null ? 0 : before.deleted(), after);
        if (!after.finished()) {
            turn.pass = after;
            return Step.MORE;
        }
        return end(turn, false);
    }

    /** A table has its next turn after all others. */
    private Turn next() {
        long now = nanoClock.getAsLong();
        Turn turn;
        do {
            turn = turns.remove();
            turns.add(turn);
        } while (turn.ended && turn.pass == null && now - turn.dueAt < 0);
        return turn;
    }

    /** Of a pass, and perhaps of the run: then each table is judged anew. */
    private Step end(Turn turn, boolean failed) {
        turn.ended = true;
        turn.failed = failed;
        turn.dueAt = nanoClock.getAsLong() + interval.toNanos();
        if (failed) {
            turn.dueAt += Math.max(interval.toNanos(), AFTER_FAILURE.toNanos());
        }
        if (!turns.stream().allMatch(each -> each.ended)) {
            return Step.MORE;
        }
        boolean complete = turns.stream().noneMatch(each -> each.failed);
        turns.forEach(each -> each.ended = false);
        // the failure itself has been counted
        return complete ? Step.COMPLETE : Step.SKIPPED;
    }

    private void report(long deletedBefore, CleanupPass after) {
        meters.cleaned(after.table().suffix(), after.deleted() - deletedBefore);
        String name = prefix + after.table().suffix();
        // events that were not handled leave nothing else, and the pass may not come to its end
        long rowsPerLine = after.table() == AgedTable.DEAD_LETTERS ? 1 : ROWS_PER_LINE;
        if (after.finished() && after.deleted() >= rowsPerLine) {
            OutboxLog.cleaned(
                    name, after.deleted(), Durations.show(policy.ages().get(after.table())));
        } else if (after.deleted() / rowsPerLine > deletedBefore / rowsPerLine) {
            OutboxLog.cleaning(name, after.deleted());
        }
    }
}
