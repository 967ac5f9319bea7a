package io.outboxed.internal.relay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Until when this node may believe in its leases, on its own monotonic clock. Others hold it dead after one lease without a
 * beat; it stops a tenth earlier.
 */
final class LeaseClock {
    private final LongSupplier nanoClock;
    private final long trusted;
    private final AtomicLong beatAt;

    LeaseClock(Duration lease, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.trusted = lease.toNanos() / 10 * 9;
        this.beatAt = new AtomicLong(nanoClock.getAsLong() - trusted);
    }

    /** @param startedAt when the beat was sent, not when it was answered */
    void beat(long startedAt) {
        beatAt.set(startedAt);
    }

    void distrust() {
        beatAt.set(nanoClock.getAsLong() - trusted);
    }

    boolean isValid() {
        return nanoClock.getAsLong() - beatAt.get() < trusted;
    }
}
