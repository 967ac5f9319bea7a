package io.outboxed.internal.boot;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.PartitionBy;
import io.outboxed.internal.config.OutboxConfig.Partitions;
import io.outboxed.internal.config.OutboxConfig.Relay;
import io.outboxed.internal.config.OutboxConfig.Retention;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.servers.database.RealDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A node without handlers in a process of its own, which keeps the history for 90 days. */
final class CleaningNode {
    private static final OutboxConfig CONFIG =
            OutboxConfig.DEFAULTS.withRelay(Relay.DEFAULTS.withLease(Duration.ofSeconds(2)));
    /** It deletes five rows at once. */
    static final String BY_ROWS = "rows";

    /** It makes partitions for as many days ahead. */
    static final String BY_PARTITIONS = "partitions";

    static final int DAYS_AHEAD = 60;

    private CleaningNode() {}

    /** @param how {@link #BY_ROWS} or {@link #BY_PARTITIONS} */
    static Process start(RealDatabase database, Dialect dialect, String how, Path output) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        CleaningNode.class.getName(),
                        dialect.name(),
                        database.url(),
                        database.user(),
                        database.password(),
                        how)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Ends when its input does: with the test that has started it. */
    public static void main(String[] arguments) throws IOException {
        Dialect dialect = Dialect.valueOf(arguments[0]);
        ConnectionSource source = () -> DriverManager.getConnection(arguments[1], arguments[2], arguments[3]);
        JdbcRelayStore store =
                new JdbcRelayStore(source, dialect, "outbox_", false, dropped -> {}, Duration.ofSeconds(10));
        HandlerInvoker none = new NoHandlers();
        OutboxMeters meters = OutboxMeters.none();
        List<MaintenanceTask> tasks = new MaintenanceTasks(dialect, "outbox_", retention(arguments[4]))
                .all(
                        new Connections(source, dialect, 1),
                        meters,
                        new CleanupAudit(new OutboxOperations(source, dialect, "outbox_").audit(), "a node"));
        ExecutorService executor = Executors.newCachedThreadPool();
        RelayNode node = new RelayNode(
                new RelayDependencies(
                        store.store(),
                        none,
                        CONFIG,
                        System::nanoTime,
                        System::currentTimeMillis,
                        () -> 0.5,
                        new Notifications() {},
                        meters,
                        tasks),
                new CommitSignal(),
                store.store().handlers().register(none.registrations()).deployment());
        node.start(executor, executor);
        while (System.in.read() >= 0) {
            node.supervise();
        }
        Runtime.getRuntime().halt(1);
    }

    private static Retention retention(String how) {
        return new Retention(
                true,
                Duration.ofDays(30),
                Optional.of(Duration.ofDays(90)),
                Optional.empty(),
                Duration.ofDays(365),
                Retention.DEFAULTS.cleanupInterval(),
                5,
                how.equals(BY_PARTITIONS)
                        ? new Partitions(PartitionBy.DAY, Duration.ofDays(DAYS_AHEAD), Partitions.DEFAULTS.interval())
                        : Partitions.DEFAULTS);
    }
}
