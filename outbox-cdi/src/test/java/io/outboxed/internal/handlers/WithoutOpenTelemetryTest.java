package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.EventType;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.tracing.Tracing;
import io.outboxed.internal.tracing.WithoutApi;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import java.util.Map;
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

    static final class Untraced {
        @Produces
        OutboxConfig config() {
            return OutboxConfigReader.read(new SmallRyeConfigBuilder()
                    .addDefaultInterceptors()
                    .withSources(new PropertiesConfigSource(Map.of("outbox.tracing", "none"), "a file", 100))
                    .build());
        }
    }

    @Test
    void with_the_api_it_does_not_trace_either_if_that_is_configured() {
        try (Deployment deployment = Deployment.configured(Untraced.class, Shop.class)) {
            assertThat(deployment.deliver("order.placed", "Shop.ship", "o-1")).isEqualTo(new Outcome.Done(true));
            assertThat(deployment.get(Tracing.class).description()).isEqualTo("off (outbox.tracing=none)");
        }
    }

    @Test
    void a_deployment_without_the_api_delivers_and_says_that_it_does_not_trace() throws Exception {
        assertThat(WithoutApi.call("opentelemetry", Delivers.class))
                .isEqualTo("Done[acknowledged=true], off (the OpenTelemetry API is not available)");
        assertThat(new Delivers().call()).endsWith("OpenTelemetry, global instance");
    }
}
