package io.outboxed.ejb;

import io.outboxed.internal.config.OutboxConfig;
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

    /**
     * @return empty where {@code outbox.relay.enabled} is false
     * @throws io.outboxed.internal.store.StoreException transient, while the database can't be reached
     */
    public Optional<RelayNode> start(Executor executor) {
        database.open();
        RelayStore store = database.store();
        long version = store.register(deliveries.all());
        registry.raise(version);
        if (!config.relay().enabled()) {
            return Optional.empty();
        }
        RelayNode node = new RelayNode(parts(store, executor), signal, version);
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
                executor);
    }
}
