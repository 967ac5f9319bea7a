package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.store.RelayStore;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a relay needs from outside.
 *
 * @param nanoClock monotonic; measures durations, never a date
 * @param wallMillis only compared with the monotonic clock, to notice that the machine was suspended
 * @param random for jitter, 0 to 1
 * @param maintenance run by the node that holds shard 0
 */
public record RelayDependencies(
        RelayStore store,
        HandlerInvoker invoker,
        OutboxConfig config,
        LongSupplier nanoClock,
        LongSupplier wallMillis,
        DoubleSupplier random,
        Notifications notifications,
        OutboxMeters meters,
        List<MaintenanceTask> maintenance) {

    /** A relay without maintenance and metrics. */
    public RelayDependencies(
            RelayStore store,
            HandlerInvoker invoker,
            OutboxConfig config,
            LongSupplier nanoClock,
            LongSupplier wallMillis,
            DoubleSupplier random,
            Notifications notifications) {
        this(store, invoker, config, nanoClock, wallMillis, random, notifications, OutboxMeters.none(), List.of());
    }
}
