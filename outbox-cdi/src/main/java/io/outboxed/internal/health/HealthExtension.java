package io.outboxed.internal.health;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OptionalApi;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfigReader;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Registers the enabled checks as beans if the server has MicroProfile Health; otherwise their classes are not loaded.
 *
 * <p>On Payara a bean that an extension adds sees only the extension's own archive, so the checks get the relay's
 * health from here instead of by injection.
 */
public class HealthExtension implements Extension {
    private static final String API = "org.eclipse.microprofile.health.HealthCheck";

    private volatile RelayHealth health = new RelayHealth(OutboxConfig.DEFAULTS);

    /** Before the relay has reported anything, this is the health of a relay that waits. */
    RelayHealth health() {
        return health;
    }

    void asks(RelayHealth newHealth) {
        health = newHealth;
    }

    void add(@Observes BeforeBeanDiscovery discovery) {
        OutboxConfig.Health wanted = wanted();
        if (!OptionalApi.isPresent(API)) {
            return;
        }
        if (wanted.startup()) {
            add(discovery, HealthChecks.Schema.class);
        }
        if (wanted.readiness()) {
            add(discovery, HealthChecks.Store.class);
            add(discovery, HealthChecks.Ready.class);
        }
        if (wanted.liveness()) {
            add(discovery, HealthChecks.Alive.class);
        }
    }

    private static void add(BeforeBeanDiscovery discovery, Class<?> check) {
        discovery.addAnnotatedType(check, check.getName()).add(ApplicationScoped.Literal.INSTANCE);
    }

    private static OutboxConfig.Health wanted() {
        try {
            return OutboxConfigReader.read(ConfigProvider.getConfig()).observe().health();
        } catch (OutboxException wrong) {
            // ConfigExtension fails the deployment in this case
            return new OutboxConfig.Health(false, false, false);
        }
    }
}
