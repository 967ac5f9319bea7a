package io.outboxed.internal.health;

import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** The database answers. Without a scope of its own: a bean only where {@link HealthExtension} adds it. */
@Readiness
class StoreReadinessCheck implements HealthCheck {

    @Inject
    HealthExtension checks;

    @Override
    public HealthCheckResponse call() {
        return Response.of("outbox-store", checks.health().store());
    }
}
