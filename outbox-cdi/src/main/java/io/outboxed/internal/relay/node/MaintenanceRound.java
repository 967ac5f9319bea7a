package io.outboxed.internal.relay.node;

import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.loop.RelayLoop;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A round of the sampler's thread: what one node does for all, in the background. */
final class MaintenanceRound implements RelayThread.Round {
    private static final long PAUSE_WHILE_STOPPING = Duration.ofMillis(200).toNanos();

    private final BacklogSampler sampler;
    private final MaintenanceSchedule maintenance;
    private final BooleanSupplier stopping;

    MaintenanceRound(RelayDependencies dependencies, RelayLoop relay, BooleanSupplier stopping) {
        this.stopping = stopping;
        this.sampler = new BacklogSampler(
                dependencies.store().statistics(),
                dependencies.meters(),
                relay.databaseClock(),
                relay::leadsMaintenance,
                dependencies.config().observe().metrics().backlogInterval(),
                dependencies.nanoClock());
        this.maintenance = new MaintenanceSchedule(
                dependencies.maintenance(), relay::leadsMaintenance, dependencies.meters(), dependencies.nanoClock());
    }

    @Override
    public long run() {
        return stopping.getAsBoolean() ? PAUSE_WHILE_STOPPING : Math.min(sampler.round(), maintenance.round());
    }

    /** Called by another thread, also during a round, which may take long. */
    void hideIfStale() {
        sampler.hideIfStale();
        maintenance.hideIfElsewhere();
    }

    /** The node is stopping. Called by another thread, also during a round. */
    void end() {
        sampler.end();
        maintenance.end();
    }
}
