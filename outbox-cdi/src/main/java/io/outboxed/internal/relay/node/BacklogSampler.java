package io.outboxed.internal.relay.node;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.DatabaseClock;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.store.Backlog;
import io.outboxed.internal.store.Statistics;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Looks at the backlog at an interval, on the one node that holds shard 0, and asks on each node what the database's clock
 * shows. Takes a twentieth of the time at most, however long a count takes. Runs on its own thread: a slow count holds
 * up nothing else.
 */
public final class BacklogSampler {
    private static final int SHARE = 20;
    private static final int MISSED_UNTIL_HIDDEN = 4;
    /** How soon a node notices that it is the one, or no longer. */
    private static final long BETWEEN_LOOKS_AT_THE_LEASE =
            Duration.ofMillis(500).toNanos();

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
    private boolean ended;

    /** @param isOurs whether this node holds the shard, and its lease */
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
            askForTheTime();
            sampleIfOurs();
            outage.worked();
        } catch (StoreException e) {
            outage.failed(e);
            clockDueAt = now() + interval;
        }
        if (shown && now() - hiddenAt >= 0) {
            hide();
        }
        return Math.min(interval, BETWEEN_LOOKS_AT_THE_LEASE);
    }

    /** The node stops; called by another thread, also during a count. */
    synchronized void end() {
        ended = true;
        hide();
    }

    private void askForTheTime() {
        if (now() - clockDueAt >= 0) {
            databaseClock.ask();
            clockDueAt = now() + interval;
        }
    }

    private void sampleIfOurs() {
        if (!isOurs.getAsBoolean()) {
            if (shown) {
                hide();
                dueAt = now();
            }
            return;
        }
        long startedAt = now();
        if (startedAt - dueAt < 0) {
            return;
        }
        Backlog sample;
        try {
            sample = store.backlog();
        } finally {
            // also where it is given up after long
            dueAt = startedAt + Math.max(interval, SHARE * (now() - startedAt));
        }
        hiddenAt = dueAt + MISSED_UNTIL_HIDDEN * interval;
        show(sample);
    }

    private synchronized void show(Backlog sample) {
        if (!ended && isOurs.getAsBoolean()) {
            meters.backlog(sample);
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
