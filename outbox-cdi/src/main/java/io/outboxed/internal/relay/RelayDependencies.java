package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.store.RelayStore;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a relay is made of.
 *
 * @param nanoClock monotonic; measures durations, never a date
 * @param wallMillis only compared with the monotonic clock, to notice that the machine was suspended
 * @param random for jitter, 0 to 1
 * @param tell where the application is told of dead letters
 */
public record RelayDependencies(
        RelayStore store,
        HandlerInvoker deliveries,
        OutboxConfig config,
        LongSupplier nanoClock,
        LongSupplier wallMillis,
        DoubleSupplier random,
        Executor tell,
        OutboxMeters meters) {

    /** Measures nothing. */
    public RelayDependencies(
            RelayStore store,
            HandlerInvoker deliveries,
            OutboxConfig config,
            LongSupplier nanoClock,
            LongSupplier wallMillis,
            DoubleSupplier random,
            Executor tell) {
        this(store, deliveries, config, nanoClock, wallMillis, random, tell, OutboxMeters.none());
    }
}
