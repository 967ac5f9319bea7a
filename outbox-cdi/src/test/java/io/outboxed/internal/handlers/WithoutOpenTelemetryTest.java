package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventType;
import io.outboxed.internal.tracing.Tracing;
import io.outboxed.internal.tracing.WithoutApi;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class WithoutOpenTelemetryTest {

    @EventType("order.placed")
    record Placed(String order) {}

    @ApplicationScoped
    static class Shop {
        void ship(@Observes Placed event) {}
    }

    public static final class Delivers implements Callable<String> {
        @Override
        public String call() {
            try (Deployment deployment = Deployment.of(Shop.class)) {
                return deployment.deliver("order.placed", "Shop.ship", "o-1") + ", "
                        + deployment.get(Tracing.class).description();
            }
        }
    }

    @Test
    void a_deployment_without_the_api_delivers_and_says_that_it_does_not_trace() throws Exception {
        assertThat(WithoutApi.call("opentelemetry", Delivers.class))
                .isEqualTo("Done[acknowledged=true], off (the OpenTelemetry API is not there)");
        assertThat(new Delivers().call()).endsWith("OpenTelemetry, the global one");
    }
}
