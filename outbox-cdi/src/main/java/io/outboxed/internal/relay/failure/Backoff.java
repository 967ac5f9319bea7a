package io.outboxed.internal.relay.failure;

import io.outboxed.internal.config.OutboxConfig;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** The delay before the next attempt: exponential, with full jitter. */
record Backoff(OutboxConfig.Retry policy, DoubleSupplier random) {

    /** @param attempts attempts so far, at least 1 */
    Duration after(int attempts) {
        double most = policy.maxDelay().toNanos();
        double exact = policy.initialDelay().toNanos() * Math.pow(policy.multiplier(), attempts - 1.0);
        double bound = Math.min(most, exact);
        return Duration.ofNanos((long) (policy.jitter() ? bound * random.getAsDouble() : bound));
    }
}
