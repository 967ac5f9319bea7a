package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.store.RelayStore;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a relay needs from outside.
 *
 * @param nanoClock monotonic; measures durations, never a date
 * @param wallMillis only compared with the monotonic clock, to notice that the machine was suspended
 * @param random for jitter, 0 to 1
 * @param announcements runs the announcements of dead letters to the application
 */
public record RelayDependencies(
        RelayStore store,
        HandlerInvoker invoker,
        OutboxConfig config,
        LongSupplier nanoClock,
        LongSupplier wallMillis,
        DoubleSupplier random,
        Executor announcements,
        OutboxMeters meters) {

    /** A relay without metrics. */
    public RelayDependencies(
            RelayStore store,
            HandlerInvoker invoker,
            OutboxConfig config,
            LongSupplier nanoClock,
            LongSupplier wallMillis,
            DoubleSupplier random,
            Executor announcements) {
        this(store, invoker, config, nanoClock, wallMillis, random, announcements, OutboxMeters.none());
    }
}
