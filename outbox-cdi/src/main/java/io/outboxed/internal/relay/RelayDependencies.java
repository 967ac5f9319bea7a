package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.store.RelayStore;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a relay needs from outside.
 *
 * @param nanoClock monotonic; measures durations, never a date
 * @param wallMillis only compared with the monotonic clock, to notice that the machine was suspended
 * @param random for jitter, 0 to 1
 */
public record RelayDependencies(
        RelayStore store,
        HandlerInvoker invoker,
        OutboxConfig config,
        LongSupplier nanoClock,
        LongSupplier wallMillis,
        DoubleSupplier random,
        Announcements announcements,
        OutboxMeters meters) {

    /** A relay without metrics. */
    public RelayDependencies(
            RelayStore store,
            HandlerInvoker invoker,
            OutboxConfig config,
            LongSupplier nanoClock,
            LongSupplier wallMillis,
            DoubleSupplier random,
            Announcements announcements) {
        this(store, invoker, config, nanoClock, wallMillis, random, announcements, OutboxMeters.none());
    }
}
