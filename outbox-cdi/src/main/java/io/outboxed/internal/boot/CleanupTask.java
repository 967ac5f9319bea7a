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
import java.util.List;

/** Deletes what is older than its retention: a batch in each step, one table after another. Used by one thread. */
final class CleanupTask implements MaintenanceTask {
    private static final long ROWS_PER_LINE = 100_000;

    private final Cleanup cleanup;
    private final RetentionPolicy policy;
    private final Duration interval;
    private final String prefix;
    private final Connections connections;
    private final OutboxMeters meters;
    private final CleanupAudit audit;
    private final List<AgedTable> tables;
    private int current;
    /** Whether a table of this pass could not be cleaned. */
    private boolean failed;

    private CleanupPass pass;
    private BatchRecorder<CleanupPass> recorder;

    CleanupTask(
            Cleanup cleanup,
            RetentionPolicy policy,
            Duration interval,
            String prefix,
            Connections connections,
            OutboxMeters meters,
            CleanupAudit audit) {
        this.cleanup = cleanup;
        this.policy = policy;
        this.interval = interval;
        this.prefix = prefix;
        this.connections = connections;
        this.meters = meters;
        this.audit = audit;
        this.tables = policy.ages().keySet().stream().sorted().toList();
        tables.forEach(table -> meters.cleaned(table.suffix(), 0));
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
        CleanupPass before = pass;
        AgedTable table = tables.get(current);
        pass = null;
        if (before == null) {
            recorder = audit.ofOnePass();
        }
        CleanupPass after;
        try {
            after = connections.autoCommit(jdbc -> cleanup.next(
                    jdbc.connection(),
                    before != null
                            ? before
                            : cleanup.begin(
                                    jdbc.connection(), table, policy.ages().get(table)),
                    policy.batchSize(),
                    recorder));
        } catch (RuntimeException e) {
            // one that can't be cleaned does not hold up the others; at the end of a pass the next one is judged anew
            failed = continueWithNextTable();
            throw e;
        }
        report(before == null ? 0 : before.deleted(), after);
        if (!after.finished()) {
            pass = after;
            return Step.MORE;
        }
        if (continueWithNextTable()) {
            return Step.MORE;
        }
        boolean complete = !failed;
        failed = false;
        // the failure itself has been counted
        return complete ? Step.COMPLETE : Step.SKIPPED;
    }

    /** @return false if that begins a new pass */
    private boolean continueWithNextTable() {
        current = (current + 1) % tables.size();
        return current != 0;
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
