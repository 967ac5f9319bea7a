package io.outboxed.internal.relay;

import java.time.Duration;

/**
 * When periodic work may run again: after its interval, or later if it would otherwise exceed its share of the time.
 */
public final class DutyCycle {
    /**
     * What has taken long may have stood still together with the database: beyond this pause, its share of the time may
     * grow to a quarter.
     */
    private static final long LONG_PAUSE = Duration.ofSeconds(30).toNanos();

    private static final int LEAST_SHARE = 4;

    private final long interval;
    private final int share;
    private long since;
    private long took;

    /**
     * @param share the work takes at most 1/share of the time
     * @param now counts as the time of the last run
     */
    public DutyCycle(Duration interval, int share, long now) {
        this.interval = interval.toNanos();
        this.share = share;
        this.since = now;
    }

    /** @return whether it is time; if so, the next interval begins */
    public boolean begin(long now) {
        boolean due = now - since >= pause();
        if (due) {
            restart(now);
        }
        return due;
    }

    /**
     * For an interval that is not zero.
     *
     * @return how many times it has passed: as much may be made up for at once. If any, the next one begins
     */
    public long runsDue(long now) {
        long due = (now - since) / pause();
        if (due > 0) {
            restart(now);
        }
        return due;
    }

    private void restart(long now) {
        since = now;
        took = 0;
    }

    public long untilDue(long now) {
        return Math.max(0, pause() - (now - since));
    }

    private long pause() {
        return Math.max(interval, Math.min(share * took, Math.max(LONG_PAUSE, LEAST_SHARE * took)));
    }

    /** Part of the work took this many nanoseconds. */
    public void took(long nanos) {
        took += nanos;
    }
}
