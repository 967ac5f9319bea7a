package io.outboxed.internal.relay.failure;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Spaces out the times at which aggregates whose handler can't be called now are checked again. Those of one handler
 * come one after the other: each costs a read and a write, and any number of them must leave the loop time for other
 * handlers. Delays differ, so that a few do not come all at once either: the probes of a handler that is down come from
 * those that ask.
 */
public final class DeferralPacing {
    private static final long BETWEEN_AGGREGATES = Duration.ofMillis(10).toNanos();
    /** If there are so many that some wait for longer than this, they come closer together. */
    private static final long LONG = Duration.ofSeconds(60).toNanos();

    private static final long BETWEEN_MANY = Duration.ofMillis(2).toNanos();
    private static final double JITTER = 0.25;

    private final long usual;
    private final LongSupplier nanoClock;
    private final DoubleSupplier random;
    private final Map<String, Long> lastByHandler = new HashMap<>();

    /**
     * @param usual the delay of a few
     * @param random between 0 and 1
     */
    public DeferralPacing(Duration usual, LongSupplier nanoClock, DoubleSupplier random) {
        this.usual = usual.toNanos();
        this.nanoClock = nanoClock;
        this.random = random;
    }

    /** @return microseconds: up to a quarter less than the usual delay, or more if many aggregates wait for this handler */
    public long delayMicros(String handler) {
        long now = nanoClock.getAsLong();
        long delay = (long) (usual * (1 - JITTER * random.getAsDouble()));
        Long last = lastByHandler.get(handler);
        if (last != null) {
            long behind = last - now;
            delay = Math.max(delay, behind + (behind < LONG ? BETWEEN_AGGREGATES : BETWEEN_MANY));
        }
        lastByHandler.put(handler, now + delay);
        return delay / 1000;
    }

    /** The handler works again: what is deferred from now on does not come behind what waited for it. */
    public void forget(String handler) {
        lastByHandler.remove(handler);
    }
}
