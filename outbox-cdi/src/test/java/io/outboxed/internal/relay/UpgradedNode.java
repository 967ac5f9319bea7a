package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.schema.LayoutZero;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.spi.FailureClassifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A node of this version over existing tables. Its handlers are outside ones, in groups that layout 0 did not have. */
final class UpgradedNode implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    private record Seen(String handler, UUID id, int attempt) {}

    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ConnectionSource source;
    private final Dialect dialect;
    private final JdbcRelayStore store;
    private final RelayNode relay;

    UpgradedNode(ConnectionSource source, Dialect dialect) {
        this.source = source;
        this.dialect = dialect;
        this.store =
                new JdbcRelayStore(source, dialect, LayoutZero.PREFIX, false, dropped -> {}, Duration.ofSeconds(10));
        RecordingHandlers handlers = new RecordingHandlers();
        RelayDependencies parts = RealTime.parts(store.store(), handlers, OutboxConfig.DEFAULTS);
        long registered =
                store.store().handlers().register(handlers.registrations()).deployment();
        this.relay = new RelayNode(parts, new CommitSignal(), registered);
        relay.start(threads, threads);
    }

    UUID publish(String type, int lane) throws SQLException {
        UUID id = UUID.randomUUID();
        try (Connection connection = source.open()) {
            new Jdbc(connection, dialect)
                    .update(
                            "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                                    + " payload_size, registry_version) VALUES (?, 7, ?, 'order', ?, ?, '{}', 2, 0)",
                            id,
                            lane,
                            String.valueOf(lane),
                            type);
        }
        return id;
    }

    /** Handler and attempt of each call. */
    List<String> calls(UUID id) {
        return seen.stream()
                .filter(each -> each.id().equals(id))
                .map(each -> each.handler() + " " + each.attempt())
                .toList();
    }

    List<UUID> order(String handler) {
        return seen.stream()
                .filter(each -> each.handler().equals(handler))
                .map(Seen::id)
                .toList();
    }

    void until(String what, Callable<Boolean> condition) {
        Await.until(
                what,
                PATIENCE,
                () -> {
                    try {
                        return condition.call();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                () -> relay.status() + ", " + seen + left());
    }

    /** What is still stored. */
    private String left() {
        try (Connection connection = source.open()) {
            Jdbc jdbc = new Jdbc(connection, dialect);
            return jdbc.list(
                            "SELECT * FROM outbox_message",
                            row -> "\nmessage " + row.getLong("seq") + " status " + row.getInt("status") + " lane "
                                    + row.getLong("lane"))
                    + ""
                    + jdbc.list(
                            "SELECT * FROM outbox_delivery",
                            row -> "\ndelivery " + row.getLong("seq") + " " + row.getString("handler") + " state "
                                    + row.getInt("state"))
                    + jdbc.list(
                            "SELECT * FROM outbox_lane",
                            row -> "\nlane " + row.getLong("lane") + " " + row.getString("handler_group") + " "
                                    + row.getString("resume_at"));
        } catch (SQLException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        relay.stop();
        threads.shutdown();
        store.close();
    }

    private final class RecordingHandlers implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return Set.of(
                    new HandlerKey("placed", "ship"),
                    new HandlerKey("placed", "mail"),
                    new HandlerKey("asked", "mail"));
        }

        @Override
        public String group(HandlerKey handler) {
            return handler.handler().equals("ship") ? "Warehouse" : "Mailer";
        }

        @Override
        public HandlerMode mode(HandlerKey handler) {
            return HandlerMode.OUTSIDE;
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            seen.add(new Seen(delivery.handler(), delivery.head().id(), delivery.attempt()));
            return new Outcome.Done(false);
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            return FailureClassifier.Verdict.RETRY;
        }
    }
}
