package io.outboxed.internal.relay;

import java.time.Duration;

/** When is it time to look for rows that committed late, below the pages of the backlogs that are read on? */
final class LooksBack {
    private static final long BETWEEN = Duration.ofMillis(500).toNanos();
    /** Where a snapshot is held, a look steps over all that was settled since the mark: 5 % of the time at most. */
    private static final int SHARE = 20;

    private long since;
    private long took;

    LooksBack(long now) {
        this.since = now;
    }

    boolean due(long now) {
        boolean due = now - since >= Math.max(BETWEEN, SHARE * took);
        if (due) {
            since = now;
            took = 0;
        }
        return due;
    }

    /** Some shards' part of a look, in nanoseconds. */
    void took(long nanos) {
        took += nanos;
    }
}
