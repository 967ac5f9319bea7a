package io.outboxed.internal.relay.node;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.DatabaseClock;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.store.Backlog;
import io.outboxed.internal.store.Statistics;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Counts the backlog at an interval, on the one node that holds shard 0, unless there are no metrics; and reads the
 * database's clock on each node. Takes at most a twentieth of the time, however long a count takes. Runs on its own
 * thread, so that a slow count holds up nothing else.
 */
public final class BacklogSampler {
    private static final int SHARE = 20;
    private static final int MISSED_UNTIL_HIDDEN = 4;
    /** How soon a node notices that it has become the sampling node, or no longer is. */
    private static final long BETWEEN_LEASE_CHECKS = Duration.ofMillis(500).toNanos();

    private final Statistics store;
    private final OutboxMeters meters;
    private final DatabaseClock databaseClock;
    private final BooleanSupplier isOurs;
    private final long interval;
    private final LongSupplier nanoClock;
    private final OutageLog outage = new OutageLog(OutboxLog::samplingFailed, OutboxLog::samplingRecovered);
    private long clockDueAt;
    private long dueAt;
    private long hiddenAt;
    private boolean shown;
    private volatile boolean counting;
    private boolean ended;

    /** @param isOurs whether this node holds shard 0 with a valid lease */
    BacklogSampler(
            Statistics store,
            OutboxMeters meters,
            DatabaseClock databaseClock,
            BooleanSupplier isOurs,
            Duration interval,
            LongSupplier nanoClock) {
        this.store = store;
        this.meters = meters;
        this.databaseClock = databaseClock;
        this.isOurs = isOurs;
        this.interval = interval.toNanos();
        this.nanoClock = nanoClock;
        this.clockDueAt = nanoClock.getAsLong();
        this.dueAt = clockDueAt;
    }

    /** @return nanoseconds until the next round */
    long round() {
        try {
            readDatabaseClock();
            sampleIfOurs();
            outage.worked();
        } catch (StoreException e) {
            outage.failed(e);
            clockDueAt = now() + interval;
        }
        hideIfStale();
        return Math.min(interval, BETWEEN_LEASE_CHECKS);
    }

    /** The node is stopping. Called by another thread, also during a count. */
    synchronized void end() {
        ended = true;
        hide();
    }

    /**
     * Another node samples now, or the last sample is too old and no count is running. Also called by another thread
     * during a count.
     */
    synchronized void hideIfStale() {
        boolean isOld = !counting && now() - hiddenAt >= 0;
        if (shown && (isOld || !isOurs.getAsBoolean())) {
            hide();
        }
    }

    private void readDatabaseClock() {
        if (now() - clockDueAt >= 0) {
            databaseClock.ask();
            clockDueAt = now() + interval;
        }
    }

    private void sampleIfOurs() {
        if (!meters.exports() || !isOurs.getAsBoolean()) {
            dueAt = now();
            return;
        }
        long startedAt = now();
        if (startedAt - dueAt < 0) {
            return;
        }
        counting = true;
        try {
            sample(startedAt);
        } finally {
            counting = false;
        }
    }

    private void sample(long startedAt) {
        Backlog sample;
        Map<String, Long> changes;
        try {
            sample = store.backlog();
            changes = store.operatorChanges();
        } finally {
            // also after a count that took long and then failed
            dueAt = startedAt + Math.max(interval, SHARE * (now() - startedAt));
        }
        show(sample, changes, dueAt + MISSED_UNTIL_HIDDEN * interval);
    }

    private synchronized void show(Backlog sample, Map<String, Long> changes, long until) {
        if (!ended && isOurs.getAsBoolean()) {
            meters.backlog(sample, changes);
            hiddenAt = until;
            shown = true;
        }
    }

    private synchronized void hide() {
        meters.hideBacklog();
        shown = false;
    }

    private long now() {
        return nanoClock.getAsLong();
    }
}
