package io.outboxed.internal.partitions;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.retention.OldRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the maintenance of partitions waits for, and what waits for it. */
interface PartitionLocksContract extends PartitionsFixture {
    /** A change gives up after two seconds; the rest is for a busy machine. */
    Duration LONGEST_WRITE = Duration.ofSeconds(6);

    @Test
    default void one_session_at_a_time_maintains_the_partitions() throws Exception {
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        try (Connection other = connect()) {
            new Jdbc(other, dialect()).list(sql.lock(), row -> row.getLong("found"));

            assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Busy.class);
            assertThat(layout().partitions()).isEmpty();
            assertThat(number(new Jdbc(admin(), dialect()), holderOfTheLock()))
                    .as("the query that the documentation names")
                    .isEqualTo(number(new Jdbc(other, dialect()), ownSession()));
        }
        for (int attempt = 0; run(days(2, FOR_EVER)) instanceof PartitionRun.Busy; attempt++) {
            assertThat(attempt).as("the server notices the end of the session").isLessThan(1000);
        }
        assertThat(layout().partitions()).isNotEmpty();
    }

    /** A conversion takes minutes, and has both locks. */
    @Test
    @Timeout(60)
    default void while_another_session_converts_the_history_a_run_does_nothing_and_a_preview_waits_only_briefly()
            throws Exception {
        run(days(2, FOR_EVER));
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        try (Connection other = connect();
                OutboxOperations operations = OutboxOperations.open(this::connect, PREFIX)) {
            Jdbc converting = new Jdbc(other, dialect());
            converting.list(sql.lock(), row -> row.getLong("found"));
            if (dialect().isMySqlFamily()) {
                converting.update("LOCK TABLES " + HISTORY + " WRITE");
            } else {
                other.setAutoCommit(false);
                converting.update("LOCK TABLE " + HISTORY + " IN ACCESS EXCLUSIVE MODE");
            }

            assertThat(operations.partitions().apply(days(9, FOR_EVER), PartitionAuditContract.BOB))
                    .isInstanceOf(PartitionRun.Busy.class);
            assertThatThrownBy(() -> operations.partitions().plan(days(9, FOR_EVER)))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isTrue());
            if (!other.getAutoCommit()) {
                other.rollback();
            }
        }
    }

    /** Ctrl-Z, or a network that is gone, between two changes. */
    @Test
    default void a_session_that_does_nothing_between_two_changes_is_ended_by_the_database() throws Exception {
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        List<String> limits = new ArrayList<>();
        try (Connection connection = connect()) {
            Jdbc jdbc = new Jdbc(connection, dialect());
            maintainer(days(2, FOR_EVER))
                    .run(
                            connection,
                            (recording, progress) -> limits.add(text(recording, sql.valueOf(sql.idleLimit()))));

            assertThat(limits).isNotEmpty().containsOnly(seconds(10));
            assertThat(text(jdbc, sql.valueOf(sql.idleLimit()))).isNotEqualTo(seconds(10));
        }
    }

    /** As the database shows a setting. */
    private String seconds(int count) {
        return dialect().isMySqlFamily() ? String.valueOf(count) : count + "s";
    }

    private String holderOfTheLock() {
        return dialect().isMySqlFamily()
                ? "SELECT IS_USED_LOCK(CONCAT('outboxed.', SUBSTR(SHA2(CONCAT(DATABASE(), '." + HISTORY
                        + "'), 256), 1, 32))) AS found"
                : "SELECT pid AS found FROM pg_locks WHERE locktype = 'advisory'"
                        + " AND (classid::BIGINT << 32 | objid::BIGINT)"
                        + " = hashtextextended('outboxed.' || current_schema() || '." + HISTORY + "', 0)";
    }

    private String ownSession() {
        return dialect().isMySqlFamily() ? "SELECT CONNECTION_ID() AS found" : "SELECT pg_backend_pid() AS found";
    }

    private static long number(Jdbc jdbc, String query) throws SQLException {
        return jdbc.first(query, row -> row.getLong("found")).orElseThrow();
    }

    @Test
    default void a_transaction_that_uses_the_history_is_waited_for_only_briefly() throws Exception {
        try (Connection business = connect()) {
            business.setAutoCommit(false);
            new OldRows(business, dialect(), PREFIX).history(rows().ago(Duration.ZERO), 1);

            assertThat(result(elsewhere(() -> run(days(2, FOR_EVER)))))
                    .as("before it ends")
                    .isInstanceOf(PartitionRun.Postponed.class);
            business.commit();
        }
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        List<String> limits = new ArrayList<>();
        assertThat(maintainer(days(2, FOR_EVER))
                        .run(admin(), (jdbc, progress) -> limits.add(text(jdbc, sql.valueOf(sql.lockWait())))))
                .isInstanceOf(PartitionRun.Done.class);
        assertThat(limits).isNotEmpty().containsOnly(seconds(2));
        assertThat(count()).isEqualTo(1);
    }

    @Test
    @Timeout(120)
    default void writers_behind_a_change_go_on_before_the_transaction_ends_that_it_waits_for() throws Exception {
        try (Connection writing = connect();
                Connection watching = connect();
                Connection business = connect()) {
            business.setAutoCommit(false);
            new OldRows(business, dialect(), PREFIX).history(rows().ago(Duration.ZERO), 1);
            OldRows writer = new OldRows(writing, dialect(), PREFIX);
            Jdbc watcher = new Jdbc(watching, dialect());
            String isBehind = isBehind(
                    number(new Jdbc(writing, dialect()), ownSession()),
                    number(new Jdbc(admin(), dialect()), ownSession()));
            AtomicBoolean wasBehind = new AtomicBoolean();
            int written = 0;
            Duration longest = Duration.ZERO;
            // a change may have given up before a writer comes
            while (!wasBehind.get()) {
                CompletableFuture<PartitionRun> change = elsewhere(() -> run(days(2, FOR_EVER)));
                while (!change.isDone()) {
                    CompletableFuture<Duration> write = elsewhere(() -> {
                        long begun = System.nanoTime();
                        writer.history(rows().ago(Duration.ZERO), 1);
                        return Duration.ofNanos(System.nanoTime() - begun);
                    });
                    Await.until(
                            "the writer has gone on",
                            Duration.ofSeconds(60),
                            () -> {
                                wasBehind.compareAndSet(false, exists(watcher, isBehind));
                                return write.isDone();
                            },
                            () -> "was behind the change: " + wasBehind);
                    Duration took = result(write);
                    longest = took.compareTo(longest) > 0 ? took : longest;
                    written++;
                }
                assertThat(result(change)).isInstanceOf(PartitionRun.Postponed.class);
            }
            business.commit();
            assertThat(count()).isEqualTo(1 + written);
            assertThat(longest).as("the longest write").isLessThan(LONGEST_WRITE);
        }
    }

    /** MySQL, MariaDB: if both wait, the writer waits for the change, because it could write beside the transaction. */
    private String isBehind(long writer, long change) {
        return dialect().isMySqlFamily()
                ? "SELECT 1 FROM information_schema.processlist WHERE id IN (" + writer + ", " + change
                        + ") AND state = 'Waiting for table metadata lock' HAVING COUNT(*) = 2"
                : "SELECT 1 WHERE " + change + " = ANY (pg_blocking_pids(" + writer + "))";
    }

    static boolean exists(Jdbc jdbc, String query) {
        try {
            return jdbc.exists(query);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    default void the_session_keeps_its_settings_and_its_lock_is_released() throws Exception {
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        String before = text(sql.valueOf(sql.lockWait()));
        run(days(2, FOR_EVER));

        assertThat(text(sql.valueOf(sql.lockWait()))).isEqualTo(before);
        try (Connection other = connect()) {
            assertThat(new Jdbc(other, dialect()).list(sql.lock(), row -> row.getLong("found")))
                    .containsExactly(1L);
        }
    }

    private String text(String query) throws SQLException {
        return text(new Jdbc(admin(), dialect()), query);
    }

    private static String text(Jdbc jdbc, String query) throws SQLException {
        return jdbc.list(query, row -> row.getString("found")).get(0);
    }

    @Test
    default void the_limit_of_the_network_is_lifted_only_if_any_tail_is_accepted() throws Exception {
        List<Integer> limits = new ArrayList<>();
        try (OutboxOperations operations = OutboxOperations.open(() -> notingLimits(connect(), limits), PREFIX)) {
            operations.partitions().plan(days(2, FOR_EVER));
            operations.partitions().apply(days(2, FOR_EVER), PartitionAuditContract.BOB);
            assertThat(layout().partitions()).isNotEmpty();
            assertThat(limits).isEmpty();

            operations.partitions().plan(days(2, FOR_EVER).withAnyTail());
            assertThat(limits).as("counts the whole tail").containsExactly(0);
        }
    }

    private static Connection notingLimits(Connection connection, List<Integer> limits) {
        return WatchedConnection.of(connection, call -> {
            if (call.is("setNetworkTimeout")) {
                limits.add((Integer) call.arguments()[1]);
            }
            return call.proceed();
        });
    }

    @Test
    default void it_runs_on_the_relays_own_connections() {
        try (Connections connections = new Connections(this::connect, dialect(), 1)) {
            assertThat(connections.<PartitionRun>autoCommit(
                            jdbc -> maintainer(days(2, FOR_EVER)).run(jdbc.connection())))
                    .isInstanceOf(PartitionRun.Done.class);
        }
    }
}
