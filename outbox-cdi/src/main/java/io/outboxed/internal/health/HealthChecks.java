package io.outboxed.internal.health;

import jakarta.inject.Inject;
import java.util.function.Function;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;

/** What MicroProfile Health asks. Without scopes of their own: beans only where {@link HealthExtension} adds them. */
final class HealthChecks {

    private HealthChecks() {}

    /** The tables fit. */
    @Startup
    static class Schema extends Check {
        Schema() {
            super("outbox-schema", RelayHealth::schema);
        }
    }

    /** The database answers. */
    @Readiness
    static class Store extends Check {
        Store() {
            super("outbox-store", RelayHealth::store);
        }
    }

    /** The relay is initialised. */
    @Readiness
    static class Ready extends Check {
        Ready() {
            super("outbox-relay", RelayHealth::relay);
        }
    }

    /** The relay moves. */
    @Liveness
    static class Alive extends Check {
        Alive() {
            super("outbox-relay", RelayHealth::alive);
        }
    }

    abstract static class Check implements HealthCheck {
        private final String name;
        private final Function<RelayHealth, HealthCheckResult> question;

        @Inject
        HealthExtension checks;

        Check(String name, Function<RelayHealth, HealthCheckResult> question) {
            this.name = name;
            this.question = question;
        }

        @Override
        public HealthCheckResponse call() {
            HealthCheckResult answer = question.apply(checks.health());
            HealthCheckResponseBuilder response =
                    HealthCheckResponse.named(name).status(answer.up());
            answer.data().forEach(response::withData);
            return response.build();
        }
    }
}
