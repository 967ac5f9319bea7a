package io.outboxed.internal.relay;

import io.outboxed.internal.store.Lease;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Until when this node may believe in its leases, on its own monotonic clock. Others hold it dead after one lease without a
 * beat; it stops a tenth earlier.
 */
final class LeaseClock {
    private final LongSupplier nanoClock;
    private final long trusted;
    private volatile Beat last = new Beat(null, 0);

    LeaseClock(Duration lease, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.trusted = lease.toNanos() / 10 * 9;
    }

    /**
     * @param owner under which name; leases of an earlier name are void, whatever the clock says
     * @param startedAt when the beat was sent, not when it was answered
     */
    void beat(String owner, long startedAt) {
        last = new Beat(owner, startedAt);
    }

    void distrust() {
        last = new Beat(null, 0);
    }

    boolean isValid() {
        Beat beat = last;
        return beat.owner() != null && nanoClock.getAsLong() - beat.startedAt() < trusted;
    }

    boolean isValid(Lease lease) {
        Beat beat = last;
        return lease.owner().equals(beat.owner()) && nanoClock.getAsLong() - beat.startedAt() < trusted;
    }

    private record Beat(String owner, long startedAt) {}
}
