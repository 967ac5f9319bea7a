package io.outboxed.internal.metrics;

import io.outboxed.internal.observe.MetricsBackend;
import io.outboxed.internal.observe.OutboxMeters;
import io.outboxed.internal.observe.RelayReadings;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;

/** Hands out the meters of this deployment. */
@ApplicationScoped
class MetersBean {
    private final OutboxMeters meters = new OutboxMeters(MetricsBackend.NONE, "");

    @Produces
    @Dependent
    OutboxMeters meters() {
        return meters;
    }

    @Produces
    @Dependent
    RelayReadings readings() {
        return meters.readings();
    }
}
