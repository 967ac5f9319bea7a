package io.outboxed.internal.relay;

import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Until when this node may believe in its leases. Others declare it dead after one lease without a beat; it stops a tenth
 * earlier, by its monotonic clock and by its wall clock: the first stands still while a machine is suspended. A wall clock
 * that is set forward costs a pause until the next beat, nothing else.
 */
public final class LeaseClock {
    private final LongSupplier nanoClock;
    private final LongSupplier wallMillis;
    private final long trusted;
    private volatile Beat last = new Beat(null, 0, 0);

    public LeaseClock(Duration lease, LongSupplier nanoClock, LongSupplier wallMillis) {
        this.nanoClock = nanoClock;
        this.wallMillis = wallMillis;
        this.trusted = lease.toNanos() / 10 * 9;
    }

    /** Now, for {@link #beat}: to be asked before the beat is sent. */
    public Beat about(String owner) {
        return new Beat(owner, nanoClock.getAsLong(), wallMillis.getAsLong());
    }

    /** The beat has been taken; leases under an earlier name are void, whatever the clocks say. */
    public void beat(Beat taken) {
        last = taken;
    }

    public boolean isValid() {
        Beat beat = last;
        return beat.owner() != null && isFresh(beat);
    }

    public boolean isValid(Lease lease) {
        Beat beat = last;
        return lease.owner().equals(beat.owner()) && isFresh(beat);
    }

    private boolean isFresh(Beat beat) {
        return nanoClock.getAsLong() - beat.sentAt() < trusted
                && (wallMillis.getAsLong() - beat.sentAtMillis()) * 1_000_000 < trusted;
    }

    /** When a beat was sent, not when it was answered. */
    public record Beat(String owner, long sentAt, long sentAtMillis) {}
}
