package io.outboxed.ejb;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.health.RelayHealth;
import io.outboxed.internal.observe.OutboxMeters;
import io.outboxed.internal.relay.Deliveries;
import io.outboxed.internal.relay.RelayNode;
import io.outboxed.internal.relay.RelayParts;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.signal.RegistryVersion;
import io.outboxed.internal.store.RelayStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;

/** Checks the database, registers this deployment's handlers and starts the relay. */
@ApplicationScoped
public class RelayStarter {

    @Inject
    OutboxConfig config;

    @Inject
    OutboxDatabase database;

    @Inject
    Deliveries deliveries;

    @Inject
    CommitSignal signal;

    @Inject
    RegistryVersion registry;

    @Inject
    OutboxMeters meters;

    @Inject
    RelayHealth health;

    private boolean prepared;
    private long generation;

    /** @throws io.outboxed.internal.store.StoreException transient, while the database can't be reached */
    public synchronized void prepare() {
        if (!prepared) {
            database.open();
            generation = database.store().register(deliveries.registrations());
            registry.raise(generation);
            prepared = true;
            health.schemaVerified(database.description().product());
        }
    }

    /** @return empty where {@code outbox.relay.enabled} is false */
    public synchronized Optional<RelayNode> start(Executor executor) {
        if (!config.relay().enabled()) {
            return Optional.empty();
        }
        RelayNode node = new RelayNode(parts(database.store(), executor), signal, generation);
        node.start(executor);
        return Optional.of(node);
    }

    private RelayParts parts(RelayStore store, Executor executor) {
        return new RelayParts(
                store,
                deliveries,
                config,
                System::nanoTime,
                System::currentTimeMillis,
                () -> ThreadLocalRandom.current().nextDouble(),
                executor,
                meters);
    }
}
