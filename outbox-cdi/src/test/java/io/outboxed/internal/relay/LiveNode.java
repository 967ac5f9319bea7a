package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.JdbcFixture;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.spi.FailureClassifier;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A node with its threads, on a database in memory. The test decides what its only handler, an outside one, does. */
final class LiveNode implements AutoCloseable {
    private static final HandlerKey SHIP = new HandlerKey("placed", "ship");
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    final RelayNode node;
    /** Tasks that call handlers: requested and not ended. */
    final AtomicInteger workers = new AtomicInteger();
    /** How many nanoseconds the node's clock is ahead of the machine's. */
    final AtomicLong ahead = new AtomicLong();

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final CommitSignal signal = new CommitSignal();
    private final JdbcFixture database;
    private final JdbcRelayStore store;

    LiveNode(OutboxConfig config, Function<Delivery, Outcome> ship) throws SQLException {
        this(config, ship, UnaryOperator.identity());
    }

    /** @param reached the store as the node sees it */
    LiveNode(OutboxConfig config, Function<Delivery, Outcome> ship, UnaryOperator<RelayStore> reached)
            throws SQLException {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        database = new JdbcFixture(() -> DriverManager.getConnection(url, "sa", ""), Dialect.H2);
        store = new JdbcRelayStore(database.source(), Dialect.H2, "outbox_", false, dropped -> {});
        Handlers handlers = new Handlers(ship);
        node = new RelayNode(
                new RelayDependencies(
                        reached.apply(store.store()),
                        handlers,
                        config,
                        () -> System.nanoTime() + ahead.get(),
                        System::currentTimeMillis,
                        () -> 0.5,
                        Announcements.on(executor)),
                signal,
                store.store().handlers().register(handlers.registrations()).deployment());
        node.start(executor, this::executeWorker);
    }

    private void executeWorker(Runnable task) {
        workers.incrementAndGet();
        executor.execute(() -> {
            try {
                task.run();
            } finally {
                workers.decrementAndGet();
            }
        });
    }

    /** Another node has published this. */
    void publish(int lane) throws SQLException {
        database.run(
                "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                        + " payload_size, registry_version) VALUES (?, ?, ?, 'order', ?, 'placed', '{}', 2, 0)",
                UUID.randomUUID(),
                lane & 63,
                lane,
                String.valueOf(lane));
    }

    /** This node has published this. */
    void publishHere(int lane) throws SQLException {
        publish(lane);
        signal.committed(Set.of(lane & 63));
    }

    int releasedShards() {
        return database.count("outbox_shard WHERE owner IS NULL");
    }

    boolean isEmpty() {
        return database.count("outbox_message") == 0;
    }

    /** As the container's timer does, but more often. */
    void superviseUntil(String what, BooleanSupplier condition) {
        until(what, () -> {
            node.supervise();
            return condition.getAsBoolean();
        });
    }

    void until(String what, BooleanSupplier condition) {
        Await.until(what, PATIENCE, condition, () -> node.status() + ", " + workers + " workers");
    }

    @Override
    public void close() throws SQLException {
        node.stop();
        executor.shutdown();
        store.close();
        database.close();
    }

    private record Handlers(Function<Delivery, Outcome> ship) implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return Set.of(SHIP);
        }

        @Override
        public String group(HandlerKey handler) {
            return handler.handler();
        }

        @Override
        public HandlerMode mode(HandlerKey handler) {
            return HandlerMode.OUTSIDE;
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            return ship.apply(delivery);
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            return FailureClassifier.Verdict.RETRY;
        }

        @Override
        public void dead(UUID messageId, String handler) {}
    }
}
