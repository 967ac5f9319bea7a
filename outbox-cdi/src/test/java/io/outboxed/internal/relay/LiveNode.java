package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.spi.FailureClassifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A node with its threads. The test decides what its handlers, outside ones, do. */
final class LiveNode implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    final RelayNode node;
    /** Tasks that call handlers: requested and not ended. */
    final AtomicInteger workers = new AtomicInteger();
    /** How many nanoseconds the node's clock is ahead of the machine's. */
    final AtomicLong ahead = new AtomicLong();
    /** Runs whenever the node has read its clock. */
    volatile Runnable whenAsked = () -> {};
    /** Whose outage a failure may be, on the thread that asks. */
    volatile UnaryOperator<String> circuits = UnaryOperator.identity();

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final CommitSignal signal = new CommitSignal();
    private final LiveDatabase database;
    private final boolean alone;
    private final JdbcRelayStore store;
    private final HandlerRegistrations.Versions versions;

    /** The only node, with one handler. */
    LiveNode(OutboxConfig config, Function<Delivery, Outcome> ship) throws SQLException {
        this(config, ship, UnaryOperator.identity());
    }

    /** @param reached the store as the node sees it */
    LiveNode(OutboxConfig config, Function<Delivery, Outcome> ship, UnaryOperator<RelayStore> reached)
            throws SQLException {
        this(new LiveDatabase(), true, config, Map.of("ship", ship), reached);
    }

    /** The only node. */
    LiveNode(OutboxConfig config, Map<String, Function<Delivery, Outcome>> handlers) throws SQLException {
        this(new LiveDatabase(), true, config, handlers, UnaryOperator.identity());
    }

    /** One of several nodes. */
    LiveNode(LiveDatabase database, OutboxConfig config, Map<String, Function<Delivery, Outcome>> handlers) {
        this(database, false, config, handlers, UnaryOperator.identity());
    }

    private LiveNode(
            LiveDatabase database,
            boolean alone,
            OutboxConfig config,
            Map<String, Function<Delivery, Outcome>> methods,
            UnaryOperator<RelayStore> reached) {
        this.database = database;
        this.alone = alone;
        store = NodeStores.open(
                config.relay().claim(), database.source(), database.dialect(), "outbox_", Duration.ofSeconds(10));
        Handlers handlers = new Handlers(methods, handler -> circuits.apply(handler));
        versions = store.store().handlers().register(handlers.registrations());
        node = new RelayNode(
                new RelayDependencies(
                        reached.apply(store.store()),
                        handlers,
                        config,
                        this::nanos,
                        System::currentTimeMillis,
                        () -> 0.5,
                        new Notifications() {}),
                signal,
                versions.deployment());
        node.start(executor, this::executeWorker);
    }

    private long nanos() {
        long now = System.nanoTime() + ahead.get();
        whenAsked.run();
        return now;
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

    /** This node has published this. */
    void publishHere(int lane) throws SQLException {
        database.publish(lane, versions.registry());
        signal.committed(Set.of(lane & 63));
    }

    /** Somebody has published this, and has not committed. */
    Connection beginElsewhere(int lane) throws SQLException {
        return database.begin(lane, versions.registry());
    }

    /** An event in a lane of its own. The node finds it by polling. */
    void publishWithoutOrder(String aggregate) throws SQLException {
        database.publishWithoutOrder(aggregate, versions.registry());
    }

    /** As a server does that stops: all threads are interrupted, and there will be no others. */
    void endThreads() {
        executor.shutdownNow();
    }

    /** Those that have not ended. */
    int threads() {
        return ((ThreadPoolExecutor) executor).getActiveCount();
    }

    int releasedShards() {
        return database.releasedShards();
    }

    boolean isEmpty() {
        return database.isEmpty();
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
        if (alone) {
            database.close();
        }
    }

    private record Handlers(Map<String, Function<Delivery, Outcome>> methods, UnaryOperator<String> circuits)
            implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return methods.keySet().stream()
                    .map(name -> new HandlerKey(LiveDatabase.TYPE, name))
                    .collect(Collectors.toSet());
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
            return methods.get(delivery.handler()).apply(delivery);
        }

        @Override
        public String circuit(MessageHead message, String handler) {
            return circuits.apply(handler);
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            return FailureClassifier.Verdict.RETRY;
        }
    }
}
