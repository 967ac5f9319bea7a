package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A node of the application, with its threads and its store, as in a server. */
final class IsolationNode implements AutoCloseable {
    private final String name;
    private final JdbcRelayStore store;
    private final HandlerRegistrations.Versions versions;
    private final CommitSignal signal = new CommitSignal();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final RelayNode relay;
    private final long registeredAt;
    private boolean closed;

    IsolationNode(
            IsolationDatabase database, OutboxConfig config, RecordedHandlers handlers, Notifications notifications) {
        name = handlers.node();
        store = database.newStore();
        versions = store.store().handlers().register(handlers.registrations());
        registeredAt = System.nanoTime();
        relay = new RelayNode(
                new RelayDependencies(
                        store.store(),
                        handlers,
                        config,
                        System::nanoTime,
                        System::currentTimeMillis,
                        () -> ThreadLocalRandom.current().nextDouble(),
                        notifications),
                signal,
                versions.deployment());
        relay.start(threads, threads);
        timer.scheduleAtFixedRate(relay::supervise, 1, 1, TimeUnit.SECONDS);
    }

    String name() {
        return name;
    }

    /** What its publishers know of the registry of handlers. */
    long registryVersion() {
        return versions.registry();
    }

    /** When its handlers were registered, by {@link System#nanoTime}. */
    long registeredAt() {
        return registeredAt;
    }

    /** A publisher of this node has committed an event. */
    void committed(int shard) {
        signal.committed(Set.of(shard));
    }

    /** Nodes that start at the same time may leave all shards to the newer one. */
    IsolationNode withShards() {
        Await.until(
                "the node has shards",
                Duration.ofSeconds(30),
                () -> relay.status().shards() > 0,
                () -> relay.status().toString());
        return this;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            relay.stop();
            timer.shutdown();
            threads.shutdown();
            store.close();
        }
    }
}
