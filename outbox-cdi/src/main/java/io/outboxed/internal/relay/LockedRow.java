package io.outboxed.internal.relay;

import java.time.Duration;

/** A row that another transaction has locked, possibly for long. */
public final class LockedRow {
    /** The delay before the relay tries it again, in nanoseconds. */
    public static final long RETRY_DELAY = Duration.ofMillis(500).toNanos();

    private LockedRow() {}
}
