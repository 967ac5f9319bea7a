package io.outboxed.internal.relay;

import java.time.Duration;

/** When to poll all shards without a signal: often while polls find rows, less and less often while idle. */
public final class PollInterval {
    /** Rows of other nodes come in bursts: polls stay frequent for this long after the last one. */
    private static final long BUSY = Duration.ofSeconds(1).toNanos();
    /**
     * While an old snapshot is open, a poll has to skip every row that was deleted since the mark: at most a fifth of
     * the time.
     */
    private static final int SHARE = 5;

    private final long least;
    private final long most;
    private long interval;
    private long nextSweep;
    private long busyUntil;

    public PollInterval(Duration least, Duration most, long now) {
        this.least = least.toNanos();
        this.most = most.toNanos();
        this.interval = this.least;
        this.nextSweep = now;
        this.busyUntil = now;
    }

    public boolean sweepDue(long now) {
        return now - nextSweep >= 0;
    }

    /** @param took nanoseconds */
    public void swept(long now, boolean foundRows, long took) {
        if (foundRows) {
            busyUntil = now + BUSY;
        }
        interval = now - busyUntil < 0 ? least : Math.min(most, interval * 2);
        nextSweep = now + Math.min(most, Math.max(interval, SHARE * took));
    }

    public long untilSweep(long now) {
        return Math.max(0, nextSweep - now);
    }
}
