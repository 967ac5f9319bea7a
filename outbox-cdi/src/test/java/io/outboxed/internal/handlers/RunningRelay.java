package io.outboxed.internal.handlers;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A node with its threads, which calls the outside handlers of a deployment. Its database is in memory. */
final class RunningRelay implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Deployment deployment;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CommitSignal signal = new CommitSignal();
    private final JdbcRelayStore store;
    private final RelayNode node;

    RunningRelay(Deployment deployment, OutboxConfig config) {
        this.deployment = deployment;
        ConnectionSource source = deployment.database().source();
        new Schema(source, Dialect.H2, "outbox_").create();
        HandlerInvoker handlers = deployment.deliveries();
        store = new JdbcRelayStore(source, Dialect.H2, "outbox_", false, dropped -> {}, Duration.ofSeconds(10));
        node = new RelayNode(
                new RelayDependencies(
                        store.store(),
                        handlers,
                        config,
                        System::nanoTime,
                        System::currentTimeMillis,
                        () -> 0.5,
                        deployment.get(Notifications.class)),
                signal,
                store.store().handlers().register(handlers.registrations()).deployment());
        node.start(threads, threads);
    }

    /** Each message is the only one of its aggregate. */
    UUID publish(String type, String text) {
        UUID id = UUID.randomUUID();
        int lane = id.hashCode();
        int shard = lane & 63;
        deployment
                .database()
                .update(
                        "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                                + " payload_size, registry_version) VALUES (?, ?, ?, 'order', ?, ?, ?, ?, 0)",
                        id,
                        shard,
                        lane,
                        "o-" + lane,
                        type,
                        text,
                        text.length());
        signal.committed(Set.of(shard));
        return id;
    }

    /** Attempts and handler of each dead letter. */
    List<String> dead() {
        return deployment
                .database()
                .committed("SELECT CONCAT(attempts, ' ', handler) FROM outbox_dead ORDER BY died_at");
    }

    void untilAllIsOver() {
        until(
                "all is over",
                () -> deployment
                        .database()
                        .committed("SELECT seq FROM outbox_message")
                        .isEmpty());
    }

    void until(String what, BooleanSupplier condition) {
        Await.until(what, PATIENCE, condition, () -> "dead: " + dead());
    }

    /** @return whether all of the node's threads have ended soon after it */
    boolean stops() throws InterruptedException {
        node.stop();
        threads.shutdown();
        return threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        node.stop();
        store.close();
        threads.shutdown();
    }
}
