package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.internal.store.jdbc.JdbcTransactionalAck;
import io.outboxed.internal.store.jdbc.RejectedHistory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Real relays on a real database: concurrent writers, two nodes of four workers each, failures now and then, one node
 * that stops in the middle and another that joins. Smaller runs were green on designs that reordered at this size.
 */
abstract class BigRunContract {
    private static final int AGGREGATES = 2_000;
    /** Published with a delay, by eight threads, one after the other. */
    private static final int CANCELLED = Integer.getInteger("bigrun.cancelled", 80);

    /** Long enough for a busy machine: no overlap here can be excused by a lapsed lease. */
    private static final Duration LONGER_THAN_ANY_PAUSE = Duration.ofSeconds(60);

    private static final Logger LOG = Logger.getLogger("io.outboxed");

    abstract ConnectionSource source() throws Exception;

    abstract Dialect dialect();

    String prefix() {
        return SqlText.DEFAULT_PREFIX;
    }

    private SqlText names() {
        return new SqlText(dialect(), prefix());
    }

    /** @param node the first two are there from the beginning, the third replaces the second */
    JdbcRelayStore newStore(String node, ConnectionSource source) {
        return newStore(claimOf(node), source);
    }

    ClaimStrategy claimOf(String node) {
        return ClaimStrategy.SHARDS;
    }

    final JdbcRelayStore newStore(ClaimStrategy claim, ConnectionSource source) {
        Duration lease = claim == ClaimStrategy.ADVISORY_LOCK ? lease() : Duration.ofSeconds(10);
        return NodeStores.open(claim, source, dialect(), prefix(), lease);
    }

    Duration lease() {
        return LONGER_THAN_ANY_PAUSE;
    }

    /** When half of the messages are written. */
    void amid() throws SQLException {}

    /** While the second half is written. */
    void amidSecondHalf(AutoCloseable first) throws Exception {}

    int messages() {
        return Integer.getInteger("bigrun.messages", 20_000);
    }

    @BeforeAll
    static void expected_failures_are_not_logged() {
        LOG.setFilter(line -> !line.getMessage().startsWith("OUTBOX-0411"));
    }

    @AfterAll
    static void the_log_is_as_it_was() {
        LOG.setFilter(null);
    }

    @Test
    void nothing_is_lost_invented_reordered_overlapped_or_done_twice() throws Exception {
        long seed = Long.getLong("bigrun.seed", System.nanoTime());
        System.out.println(dialect() + " big run: " + messages() + " messages, seed " + seed);
        ConnectionSource source = source();
        prepare(source);
        History history = new History((handler, id) -> false);
        List<CommitSignal> signals = List.of(new CommitSignal(), new CommitSignal(), new CommitSignal());
        ExecutorService threads = Executors.newCachedThreadPool();
        try (CapturedLog log = new CapturedLog();
                Node first = new Node("first", source, history, signals.get(0), threads);
                Node second = new Node("second", source, history, signals.get(1), threads)) {
            long begin = System.nanoTime();
            Writers writers = new Writers(source, names(), history, signals, AGGREGATES, seed);
            writers.write(messages() / 2);
            amid();
            second.close();
            try (Node third = new Node("third", source, history, signals.get(2), threads)) {
                Future<Void> writing = threads.submit(() -> {
                    writers.write(messages() / 2);
                    return null;
                });
                amidSecondHalf(first);
                writing.get();
                Await.until(
                        "all handled",
                        Duration.ofMinutes(5),
                        () -> history.hasViolations() || history.open().isEmpty(),
                        () -> history.open().size() + " open, first: "
                                + history.open().stream().limit(3).toList());
                System.out.println(dialect() + " big run: written and handled in "
                        + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms, " + history.calls()
                        + " calls");
                history.check(dialect() + " seed " + seed);
                Await.until(
                        "tables empty",
                        Duration.ofSeconds(30),
                        () -> count(source, "SELECT COUNT(*) FROM outbox_message") == 0
                                && count(source, "SELECT COUNT(*) FROM outbox_delivery") == 0
                                && count(source, "SELECT COUNT(*) FROM outbox_lane") == 0,
                        () -> count(source, "SELECT COUNT(*) FROM outbox_message") + " messages, "
                                + count(source, "SELECT COUNT(*) FROM outbox_delivery") + " deliveries, "
                                + count(source, "SELECT COUNT(*) FROM outbox_lane") + " lanes left");
                assertThat(log.lines)
                        .as("writers that wait for each other are not accused")
                        .noneMatch(line -> line.contains("OUTBOX-0417"));
            }
        } finally {
            threads.shutdown();
        }
        assertThat(count(source, "SELECT COUNT(*) FROM effect"))
                .as("each effect once")
                .isPositive()
                .isEqualTo(count(source, "SELECT COUNT(DISTINCT message) FROM effect"));
    }

    @Test
    void of_messages_that_are_cancelled_as_they_become_due_none_is_called() throws Exception {
        long seed = Long.getLong("bigrun.seed", System.nanoTime());
        ConnectionSource source = source();
        prepare(source);
        History history = new History((handler, id) -> false);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Node node = new Node("only", source, history, new CommitSignal(), threads)) {
            Cancellers cancellers = new Cancellers(source, names(), history);
            cancellers.run(CANCELLED, threads, seed);
            System.out.println(dialect() + " seed " + seed + ": " + cancellers.cancelled() + " cancelled, "
                    + cancellers.tooLate() + " too late");
            Await.until(
                    "all others handled",
                    Duration.ofMinutes(1),
                    () -> history.hasViolations()
                            || history.open().isEmpty()
                                    && count(source, "SELECT COUNT(*) FROM outbox_message") == 0
                                    && count(source, "SELECT COUNT(*) FROM outbox_lane") == 0,
                    () -> history.open().size() + " open, "
                            + count(source, "SELECT COUNT(*) FROM outbox_message") + " messages and "
                            + count(source, "SELECT COUNT(*) FROM outbox_lane") + " lanes left");
            history.check(dialect() + " seed " + seed);
            assertThat(cancellers.cancelled()).isPositive();
            assertThat(cancellers.tooLate()).isPositive();
        } finally {
            threads.shutdown();
        }
    }

    private void prepare(ConnectionSource source) throws SQLException {
        try (Connection connection = source.open();
                Statement statement = connection.createStatement()) {
            if (names().schema() != null) {
                statement.execute("CREATE SCHEMA IF NOT EXISTS " + names().schema());
            }
            new Schema(source, dialect(), prefix()).create();
            statement.execute("CREATE TABLE effect (message VARCHAR(36) NOT NULL)");
            statement.execute("CREATE TABLE aggregate (id INT PRIMARY KEY, n BIGINT NOT NULL)");
            for (int i = 0; i < AGGREGATES; i++) {
                statement.addBatch("INSERT INTO aggregate VALUES (" + i + ", 0)");
            }
            statement.executeBatch();
        }
    }

    long count(ConnectionSource source, String sql) {
        try (Connection connection = source.open();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(names().of(sql))) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A node of the application: its own store, relay and threads. */
    private final class Node implements AutoCloseable {
        private final JdbcRelayStore store;
        private final RelayNode relay;
        /** An error may end a thread: PostgreSQL's driver can throw one when its connection is killed. */
        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

        private boolean closed;

        private Node(
                String name, ConnectionSource source, History history, CommitSignal signal, ExecutorService threads) {
            store = newStore(name, source);
            TransactionPool pool = new TransactionPool(source);
            RejectedHistory noHistory = new RejectedHistory(false, dropped -> {});
            DatabaseHandlers handlers = new DatabaseHandlers(
                    name, pool, new JdbcTransactionalAck(pool, pool::run, dialect(), prefix(), noHistory), history, 5);
            long registryVersion =
                    store.store().handlers().register(handlers.registrations()).deployment();
            RelayDependencies parts = new RelayDependencies(
                    store.store(),
                    handlers,
                    config(),
                    System::nanoTime,
                    System::currentTimeMillis,
                    () -> ThreadLocalRandom.current().nextDouble(),
                    new Notifications() {});
            relay = new RelayNode(parts, signal, registryVersion);
            relay.start(threads, threads);
            timer.scheduleAtFixedRate(relay::supervise, 1, 1, TimeUnit.SECONDS);
        }

        private OutboxConfig config() {
            OutboxConfig.Relay four = OutboxConfig.Relay.DEFAULTS
                    .withWorkers(4)
                    .withLease(lease())
                    .withDrain(LONGER_THAN_ANY_PAUSE);
            OutboxConfig.Retry soon =
                    new OutboxConfig.Retry(10, Duration.ofMillis(20), 2, Duration.ofMillis(200), true);
            return OutboxConfig.DEFAULTS.withRelay(four).withRetry(soon);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                timer.shutdownNow();
                relay.stop();
                store.close();
            }
        }
    }
}
