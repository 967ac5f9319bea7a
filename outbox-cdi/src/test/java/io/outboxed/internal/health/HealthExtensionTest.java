package io.outboxed.internal.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.tracing.WithoutApi;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Produces;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which checks a server finds among the beans, and what they answer. */
class HealthExtensionTest {

    @BeforeAll
    static void playTheServer() {
        HealthCheckResponse.setResponseProvider(CheckResponse::new);
    }

    @AfterEach
    void forget() {
        Stream.of("startup", "readiness", "liveness").forEach(probe -> System.clearProperty("outbox.health." + probe));
    }

    static final class Config {
        @Produces
        OutboxConfig config() {
            return OutboxConfig.DEFAULTS;
        }
    }

    private static WeldContainer deployed() {
        return new Weld()
                .disableDiscovery()
                .extensions(new HealthExtension())
                .addBeanClasses(RelayHealth.class, Config.class)
                .initialize();
    }

    private static List<String> names(WeldContainer server, Class<? extends java.lang.annotation.Annotation> probe) {
        return server.select(HealthCheck.class, Any.Literal.INSTANCE)
                .handlesStream()
                .filter(check -> check.getBean().getQualifiers().stream().anyMatch(probe::isInstance))
                .map(check -> check.get().call())
                .map(response -> response.getName() + " " + response.getStatus())
                .sorted()
                .toList();
    }

    @Test
    void the_server_finds_a_check_for_each_probe_with_what_the_relay_says() {
        try (WeldContainer server = deployed()) {
            assertThat(names(server, Startup.class)).containsExactly("outbox-schema DOWN");
            RelayHealth health = server.select(RelayHealth.class).get();
            health.schemaVerified("H2 2.4.240");
            health.started(Optional.empty());

            assertThat(names(server, Startup.class)).containsExactly("outbox-schema UP");
            assertThat(names(server, Readiness.class)).containsExactly("outbox-relay UP", "outbox-store UP");
            assertThat(names(server, Liveness.class)).containsExactly("outbox-relay UP");
        }
    }

    @Test
    void each_probe_can_be_switched_off() {
        System.setProperty("outbox.health.startup", "false");
        System.setProperty("outbox.health.liveness", "false");
        try (WeldContainer server = deployed()) {
            assertThat(names(server, Startup.class)).isEmpty();
            assertThat(names(server, Readiness.class)).hasSize(2);
            assertThat(names(server, Liveness.class)).isEmpty();
        }
        System.setProperty("outbox.health.readiness", "false");
        try (WeldContainer server = deployed()) {
            assertThat(names(server, Readiness.class)).isEmpty();
        }
    }

    public static final class Deploys implements Callable<String> {
        @Override
        public String call() {
            try (WeldContainer server = new Weld()
                    .disableDiscovery()
                    .extensions(new HealthExtension())
                    .addBeanClasses(RelayHealth.class, Config.class)
                    .initialize()) {
                return "alive " + server.select(RelayHealth.class).get().alive().up();
            }
        }
    }

    @Test
    void without_the_api_the_application_is_deployed_all_the_same() throws Exception {
        assertThat(WithoutApi.call("microprofile-health", Deploys.class)).isEqualTo("alive true");
    }
}
