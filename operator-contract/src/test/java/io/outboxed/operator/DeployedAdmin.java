package io.outboxed.operator;

import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.internal.admin.OutboxAdminBean;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.deadletters.DeadLettersBean;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.operations.OutboxOperations;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;

/** The beans that applications inject, deployed with Weld on the tables of a database. */
final class DeployedAdmin implements AutoCloseable {
    private final OutboxOperations operations;
    private final SeContainer container;

    private DeployedAdmin(OutboxOperations operations) {
        this.operations = operations;
        this.container = SeContainerInitializer.newInstance()
                .disableDiscovery()
                .addExtensions(new Engine(operations))
                .addBeanClasses(OutboxAdminBean.class, DeadLettersBean.class)
                .initialize();
    }

    static DeployedAdmin on(ConnectionSource source) {
        return new DeployedAdmin(OutboxOperations.open(source, "outbox_"));
    }

    /** What a server's boot produces. */
    private record Engine(OutboxOperations operations) implements Extension {
        void add(@Observes AfterBeanDiscovery beans) {
            beans.<OutboxOperations>addBean()
                    .types(OutboxOperations.class)
                    .scope(Dependent.class)
                    .createWith(context -> operations);
            beans.<OutboxMeters>addBean()
                    .types(OutboxMeters.class)
                    .scope(Dependent.class)
                    .createWith(context -> OutboxMeters.none());
            beans.<OutboxConfig>addBean()
                    .types(OutboxConfig.class)
                    .scope(Dependent.class)
                    .createWith(context -> OutboxConfig.DEFAULTS);
        }
    }

    Operator operator() {
        return new JavaOperator(
                container.select(OutboxAdmin.class).get(),
                container.select(DeadLetters.class).get());
    }

    @Override
    public void close() {
        container.close();
        operations.close();
    }
}
