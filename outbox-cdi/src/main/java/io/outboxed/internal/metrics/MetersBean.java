package io.outboxed.internal.metrics;

import io.outboxed.internal.config.OutboxConfig;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Provides the meters of this deployment, created on first use. */
@ApplicationScoped
class MetersBean {
    private final OutboxMeters meters;

    @Inject
    MetersBean(OutboxConfig config, Instance<Object> beans) {
        this.meters = new OutboxMeters(
                new MetricsChoice(beans).choose(config.observe().metrics().api()),
                application(),
                config.relay().enabled());
    }

    /** Needed by the container's proxy. */
    MetersBean() {
        this.meters = null;
    }

    @Produces
    @Dependent
    OutboxMeters meters() {
        return meters;
    }

    /** A registry may outlive the application and would keep its classes in memory. */
    @PreDestroy
    void end() {
        meters.hideBacklog();
        meters.hideMaintenance();
        meters.hideNode();
    }

    private static String application() {
        try {
            return (String) new InitialContext().lookup("java:app/AppName");
        } catch (NamingException outsideAServer) {
            return "outbox";
        }
    }
}
