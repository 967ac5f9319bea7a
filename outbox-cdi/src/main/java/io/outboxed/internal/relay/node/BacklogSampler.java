package io.outboxed.internal.relay.node;

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
 * database's clock on each node. Takes at most a twentieth of the time; what has taken long may have stood still
 * together with the database, so the share may then grow to a quarter. Runs on its own thread, so that a slow count
 * holds up nothing else.
 */
public final class BacklogSampler {
    private static final int SHARE = 20;
    private static final int LEAST_SHARE = 4;
    private static final long LONG_PAUSE = Duration.ofMinutes(5).toNanos();
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
            boolean clockRead = readDatabaseClock();
            boolean counts = meters.exports() && isOurs.getAsBoolean();
            boolean counted = counts && sampleIfDue();
            if (!counts) {
                dueAt = now();
            }
            if (counts ? counted : clockRead) {
                outage.worked();
            }
        } catch (RuntimeException e) {
            outage.failed(e);
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

    private boolean readDatabaseClock() {
        if (now() - clockDueAt < 0) {
            return false;
        }
        try {
            databaseClock.ask();
        } finally {
            clockDueAt = now() + interval;
        }
        return true;
    }

    private boolean sampleIfDue() {
        long startedAt = now();
        if (startedAt - dueAt < 0) {
            return false;
        }
        counting = true;
        try {
            sample(startedAt);
        } finally {
            counting = false;
        }
        return true;
    }

    private void sample(long startedAt) {
        Backlog sample;
        Map<String, Long> changes;
        try {
            sample = store.backlog();
            changes = store.operatorChanges();
        } finally {
            // also after a count that took long and then failed
            dueAt = startedAt + pauseAfter(now() - startedAt);
        }
        show(sample, changes, dueAt + MISSED_UNTIL_HIDDEN * interval);
    }

    private long pauseAfter(long took) {
        return Math.max(interval, Math.min(SHARE * took, Math.max(LONG_PAUSE, LEAST_SHARE * took)));
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
