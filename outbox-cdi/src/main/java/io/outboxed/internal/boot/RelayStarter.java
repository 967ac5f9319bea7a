package io.outboxed.internal.boot;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
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
import java.sql.SQLException;
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

    /** @throws StoreException always transient: while the database can't be reached */
    public void prepare() {
        prepare(RolledBackTransaction.OF_USER);
    }

    /**
     * @param transaction in which the database is tested
     * @throws StoreException as above
     */
    public synchronized void prepare(RolledBackTransaction transaction) {
        if (!prepared) {
            HandlerRegistrations.Versions versions = registered(transaction);
            registry.raise(versions.registry());
            nodeVersion = versions.deployment();
            prepared = true;
            health.schemaVerified(database.description().product());
        }
    }

    private HandlerRegistrations.Versions registered(RolledBackTransaction transaction) {
        try {
            database.open(transaction);
            return database.handlers().register(invoker.registrations());
        } catch (StoreException e) {
            throw e.isTransient() ? e : refused(e);
        }
    }

    private static OutboxException refused(StoreException why) {
        return new OutboxException(
                "OUTBOX-0321",
                "the database rejected a statement that every start runs on the outbox's tables: " + why.getMessage()
                        + driverMessage(why)
                        + ". No handler was registered, so this node neither stores nor delivers events. In most"
                        + " cases a table, a row or a privilege is missing: outbox.schema=verify lists missing tables and rows, and the"
                        + " account needs SELECT, INSERT, UPDATE and DELETE on all tables of the outbox",
                why);
    }

    /** The driver's message. The statements of a start contain no secret or payload that it could quote. */
    private static String driverMessage(StoreException why) {
        Throwable cause = why.getCause();
        Throwable words = cause != null && cause.getCause() instanceof SQLException driver ? driver : cause;
        return words == null ? "" : " (" + words.getMessage() + ")";
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
