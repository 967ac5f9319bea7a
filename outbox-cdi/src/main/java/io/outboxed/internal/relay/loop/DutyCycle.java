package io.outboxed.internal.relay.loop;

import java.time.Duration;

/** When recurring work may run again: after an interval, and later if it would take more than its share of the time. */
final class DutyCycle {
    private final long interval;
    private final int share;
    private long since;
    private long took;

    /**
     * @param share it takes one part in so many of the time, at most
     * @param now counts as its last time
     */
    DutyCycle(Duration interval, int share, long now) {
        this.interval = interval.toNanos();
        this.share = share;
        this.since = now;
    }

    /** @return whether it is time; if so, the next interval has begun */
    boolean begin(long now) {
        boolean due = now - since >= Math.max(interval, share * took);
        if (due) {
            since = now;
            took = 0;
        }
        return due;
    }

    /** A part of the work has taken so many nanoseconds. */
    void took(long nanos) {
        took += nanos;
    }
}
