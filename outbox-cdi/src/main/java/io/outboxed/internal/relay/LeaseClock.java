package io.outboxed.internal.relay;

import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Until when this node may trust its leases. Others declare it dead after one lease without a heartbeat; it stops a
 * tenth of a lease earlier, by its monotonic clock or by its wall clock, whichever comes first, because the monotonic
 * clock may stand still while the machine is suspended. If the wall clock is set forward, the node only pauses until
 * its next heartbeat.
 */
public final class LeaseClock {
    private final LongSupplier nanoClock;
    private final LongSupplier wallMillis;
    private final long trusted;
    private volatile Heartbeat last = new Heartbeat(null, 0, 0);

    public LeaseClock(Duration lease, LongSupplier nanoClock, LongSupplier wallMillis) {
        this.nanoClock = nanoClock;
        this.wallMillis = wallMillis;
        this.trusted = lease.toNanos() / 10 * 9;
    }

    /**
     * The time of a heartbeat that is about to be sent. To be called before sending it; pass the result to {@link
     * #beat}.
     */
    public Heartbeat stamp(String owner) {
        return new Heartbeat(owner, nanoClock.getAsLong(), wallMillis.getAsLong());
    }

    /**
     * The heartbeat was accepted. Leases under an earlier owner id are void, whatever the clocks say.
     *
     * @return false if this node had leases, and could not trust them throughout until now
     */
    public boolean beat(Heartbeat taken) {
        Heartbeat before = last;
        last = taken;
        return before.owner() == null || (before.owner().equals(taken.owner()) && isFresh(before));
    }

    public boolean isValid() {
        Heartbeat beat = last;
        return beat.owner() != null && isFresh(beat);
    }

    public boolean isValid(Lease lease) {
        Heartbeat beat = last;
        return lease.owner().equals(beat.owner()) && isFresh(beat);
    }

    private boolean isFresh(Heartbeat beat) {
        return nanoClock.getAsLong() - beat.sentAt() < trusted
                && (wallMillis.getAsLong() - beat.sentAtMillis()) * 1_000_000 < trusted;
    }

    /** When a heartbeat was sent, not when it was answered. */
    public record Heartbeat(String owner, long sentAt, long sentAtMillis) {}
}
