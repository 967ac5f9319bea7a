package io.outboxed.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.Backlog;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SilentLog.class)
class MetersBeanTest {

    static class Server {
        @Produces
        @Singleton
        MeterRegistry registry() {
            return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        }

        @Produces
        OutboxConfig config() {
            return OutboxConfig.DEFAULTS;
        }
    }

    /** As if an error had ended the stop of its relay. */
    @Test
    void an_application_that_ends_leaves_no_gauge_in_the_registry_of_the_server() {
        Weld application = new Weld().disableDiscovery().beanClasses(MetersBean.class, Server.class);
        MeterRegistry registry;
        try (WeldContainer container = application.initialize()) {
            registry = container.select(MeterRegistry.class).get();
            OutboxMeters meters = container.select(OutboxMeters.class).get();
            meters.showNode();
            meters.backlog(new Backlog(5, 4, 3, 2, 1, 6, Duration.ofSeconds(1)), Map.of("discard", 3L));
            meters.showMaintenance("rows", () -> 1);
            assertThat(registry.find("outbox.maintenance.age").meters()).hasSize(1);
        }

        assertThat(registry.getMeters()).isNotEmpty().noneMatch(Gauge.class::isInstance);
    }
}
