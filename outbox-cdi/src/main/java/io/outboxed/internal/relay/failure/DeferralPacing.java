package io.outboxed.internal.relay.failure;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * When aggregates are looked at again whose handler can't be called now. Those of one handler come one after the other:
 * each costs a read and a write, and any number of them must leave the loop time for other handlers. Delays differ, so that
 * a few do not come all at once either: the probes of a handler that is down come from those that ask.
 */
public final class DeferralPacing {
    private static final long BETWEEN_AGGREGATES = Duration.ofMillis(10).toNanos();
    private static final long LONGEST = Duration.ofSeconds(60).toNanos();
    private static final double JITTER = 0.25;

    private final LongSupplier nanoClock;
    private final DoubleSupplier random;
    private final Map<String, Long> lastByHandler = new HashMap<>();

    /** @param random between 0 and 1 */
    public DeferralPacing(LongSupplier nanoClock, DoubleSupplier random) {
        this.nanoClock = nanoClock;
        this.random = random;
    }

    /** @return microseconds: up to a quarter less than the usual delay, or more if many aggregates wait for this handler */
    public long delayMicros(String handler, long usualMicros) {
        long now = nanoClock.getAsLong();
        long shortest = (long) (usualMicros * 1000 * (1 - JITTER * random.getAsDouble()));
        Long last = lastByHandler.get(handler);
        long delay = last == null ? shortest : Math.max(shortest, last + BETWEEN_AGGREGATES - now);
        long paced = Math.min(delay, Math.max(shortest, LONGEST));
        lastByHandler.put(handler, now + paced);
        return paced / 1000;
    }
}
