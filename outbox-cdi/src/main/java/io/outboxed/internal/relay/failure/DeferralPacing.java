package io.outboxed.internal.relay.failure;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * When aggregates are looked at again whose handler can't be called now. Those of one handler come one after the other:
 * each costs a read and a write, and any number of them must leave the loop time for other handlers.
 */
public final class DeferralPacing {
    private static final long BETWEEN_AGGREGATES = Duration.ofMillis(10).toNanos();
    private static final long LONGEST = Duration.ofSeconds(60).toNanos();

    private final LongSupplier nanoClock;
    private final Map<String, Long> lastByHandler = new HashMap<>();

    public DeferralPacing(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** @return microseconds: the shortest delay, or more if many aggregates wait for this handler */
    public long delayMicros(String handler, long shortestMicros) {
        long now = nanoClock.getAsLong();
        long shortest = shortestMicros * 1000;
        Long last = lastByHandler.get(handler);
        long delay = last == null ? shortest : Math.max(shortest, last + BETWEEN_AGGREGATES - now);
        long paced = Math.min(delay, Math.max(shortest, LONGEST));
        lastByHandler.put(handler, now + paced);
        return paced / 1000;
    }
}
