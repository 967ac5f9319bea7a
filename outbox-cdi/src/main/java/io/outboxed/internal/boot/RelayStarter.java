package io.outboxed.internal.boot;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.health.RelayHealth;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.signal.RegistryVersion;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.ThreadLocalRandom;

/** Checks the database, registers this deployment's handlers and starts the relay. */
@ApplicationScoped
public class RelayStarter {
    @Inject
    OutboxConfig config;

    @Inject
    OutboxDatabase database;

    @Inject
    HandlerInvoker invoker;

    @Inject
    Notifications notifications;

    @Inject
    CommitSignal signal;

    @Inject
    RegistryVersion registry;

    @Inject
    OutboxMeters meters;

    @Inject
    RelayHealth health;

    private boolean prepared;
    private long nodeVersion;

    /** @throws io.outboxed.internal.database.StoreException transient, while the database can't be reached */
    public void prepare() {
        prepare(RolledBackTransaction.OF_USER);
    }

    /**
     * @param transaction in which the database is tested
     * @throws io.outboxed.internal.database.StoreException as above
     */
    public synchronized void prepare(RolledBackTransaction transaction) {
        if (!prepared) {
            database.open(transaction);
            HandlerRegistrations.Versions versions = database.store().handlers().register(invoker.registrations());
            registry.raise(versions.registry());
            nodeVersion = versions.deployment();
            prepared = true;
            health.schemaVerified(database.description().product());
        }
    }

    /** Whether this node is to have a relay: {@code outbox.relay.enabled}. */
    public boolean relays() {
        return config.relay().enabled();
    }

    public synchronized RelayNode start(RelayExecutors executors) {
        RelayNode node = new RelayNode(dependencies(database.store()), signal, nodeVersion);
        node.start(executors.threads(), executors.handlers());
        return node;
    }

    private RelayDependencies dependencies(RelayStore store) {
        return new RelayDependencies(
                store,
                invoker,
                config,
                System::nanoTime,
                System::currentTimeMillis,
                () -> ThreadLocalRandom.current().nextDouble(),
                notifications,
                meters,
                database.maintenance(meters));
    }
}
