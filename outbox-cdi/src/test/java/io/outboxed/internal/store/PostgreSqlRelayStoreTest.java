package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.retention.CleanupLockContract;
import io.outboxed.internal.schema.MutantTables;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.LockTableFullException;
import io.outboxed.internal.store.jdbc.StatementLimitContract;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PostgreSqlRelayStoreTest extends JdbcStoreContract
        implements PostgreSqlClaimContract,
                AdvisoryLockContract,
                ClaimRowsContract,
                StatementLimitContract,
                CleanupLockContract {
    /** A worker of autovacuum that ends makes room in a table of locks that a test has filled. */
    @AutoClose
    private static final RealPostgres SERVER =
            RealPostgres.start(ServerOptions.temporary().with("-c").with("autovacuum=off"));

    private static final ConnectionSource SESSIONS =
            new ReusedSessions(() -> DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password()));

    @Override
    ConnectionSource source() {
        return SESSIONS;
    }

    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Test
    void a_server_without_room_for_locks_ends_no_session() throws Exception {
        RelayStore node = jdbc().stores.withLocks(Duration.ofSeconds(10));
        LaneLocks locks = node.locks().orElseThrow();
        locks.open(LockingNodes.ONE);
        assertThat(locks.tryLock(List.of(1L))).containsExactly(1L);
        try (Connection hoarder = source().open();
                Statement statement = hoarder.createStatement()) {
            assertThat(catchThrowable(() ->
                            statement.execute("SELECT pg_advisory_lock(7, n) FROM generate_series(1, 1000000) AS n")))
                    .hasMessageContaining("max_locks_per_transaction");

            List<Long> many = LongStream.range(2, 5_000).boxed().toList();
            assertThatExceptionOfType(LockTableFullException.class).isThrownBy(() -> locks.tryLock(many));
            assertThat(locks.isOpen(LockingNodes.ONE)).isTrue();
            assertThatExceptionOfType(LockTableFullException.class).isThrownBy(locks::leads);
            assertThatExceptionOfType(LockTableFullException.class)
                    .isThrownBy(() -> locks.present(List.of(ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "other")));
            assertThat(locks.isOpen(LockingNodes.ONE)).isTrue();
            locks.unlock(List.of(1L));
            assertThat(locks.tryLock(List.of(1L))).as("room for one").containsExactly(1L);
        }
        Await.until(
                "there is room again, and what was locked before the error has been given back",
                Duration.ofSeconds(20),
                () -> locksAll(locks, List.of(2L, 3L)),
                () -> "");
    }

    @Test
    void a_lock_session_that_can_not_begin_leaves_no_idle_limit_in_its_pool() throws Exception {
        try (SharedSessions pool = new SharedSessions(source());
                ClaimLocks session =
                        new ClaimLocks(ConnectionSource.shared(pool), dialect(), "absent_", Duration.ofSeconds(10))) {
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> session.open(LockingNodes.ONE));
            assertThat(new Jdbc(pool.open(), dialect()).first("SHOW idle_session_timeout", row -> row.getString(1)))
                    .hasValue("0");
        }
    }

    /** With a function in place of PostgreSQL's own: a server that becomes a standby ends its sessions. */
    @Test
    void a_session_ends_with_the_heartbeat_that_finds_its_server_to_be_a_standby_and_none_begins_there()
            throws Exception {
        jdbc().run("CREATE SCHEMA standby");
        jdbc().run("CREATE FUNCTION standby.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'");
        List<Connection> opened = new ArrayList<>();
        try (ClaimLocks session = lockSession(() -> opened(opened));
                ClaimLocks next = lockSession(() -> onStandby(opened(opened)))) {
            session.open(LockingNodes.ONE);
            assertThat(session.isOpen(LockingNodes.ONE)).isTrue();

            onStandby(opened.get(0));
            LockSessionEndContract.endsOnReadOnlyServer(session, next);
        } finally {
            jdbc().run("DROP SCHEMA standby CASCADE");
        }
    }

    private ClaimLocks lockSession(ConnectionSource source) {
        return new ClaimLocks(source, dialect(), jdbc().prefix(), LockingNodes.LEASE);
    }

    private Connection opened(List<Connection> all) throws SQLException {
        Connection connection = source().open();
        all.add(connection);
        return connection;
    }

    private static Connection onStandby(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = standby, public, pg_catalog");
        }
        return connection;
    }

    private static boolean locksAll(LaneLocks locks, List<Long> lanes) {
        try {
            return locks.tryLock(lanes).containsAll(lanes);
        } catch (LockTableFullException e) {
            return false;
        }
    }

    /** PostgreSQL aborts a transaction after any failed statement. */
    @Override
    public void doom(JdbcDelivery delivery) {
        assertThat(catchThrowable(() -> delivery.run("UPDATE effect SET amount = 1 / 0 WHERE id = 1")))
                .isNotNull();
    }

    @Override
    public void prepare(JdbcDelivery delivery) throws SQLException {
        delivery.run("PREPARE TRANSACTION 'doubtful'");
    }

    @Override
    public void commitPrepared(JdbcDelivery delivery) throws SQLException {
        jdbc().run("COMMIT PREPARED 'doubtful'");
    }

    @Override
    public void setZone(Connection connection) throws Exception {
        new Jdbc(connection, Dialect.POSTGRESQL).update("SET TIME ZONE 'Asia/Kolkata'");
    }

    @Test
    void names_that_are_compared_without_case_are_found_and_repaired() throws Exception {
        jdbc().execute("CREATE COLLATION IF NOT EXISTS caseless"
                + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
        eachColumn((table, column) -> column.isText()
                ? new Change(
                        MutantTables.inLine(column, "VARCHAR\\(\\d+\\)|TEXT", "$0 COLLATE caseless"),
                        MutantTables.name(table, column)
                                + " uses the collation caseless, which may treat different names as equal")
                : null);
    }

    @Test
    void an_index_with_another_condition_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        for (String condition : List.of("", " WHERE status = 2")) {
            jdbc().run("DROP INDEX mutant_message_ready");
            jdbc().run("CREATE INDEX mutant_message_ready ON mutant_message (shard, seq)" + condition);
            findsAndRepairs(schema, "index on mutant_message (shard, seq) where status = 0 differs or is unusable");
        }
        jdbc().run("DROP INDEX mutant_message_lane");
        jdbc().run("CREATE INDEX mutant_message_lane ON mutant_message (lane, seq) WHERE status = 0");
        findsAndRepairs(schema, "index on mutant_message (lane, seq) where status <> 3 differs or is unusable");
        jdbc().run("DROP INDEX mutant_message_id");
        jdbc().run("CREATE INDEX mutant_message_id ON mutant_message (id) WHERE status = 0");
        findsAndRepairs(schema, "index on mutant_message (id) differs or is unusable");
    }

    @Test
    void a_unique_constraint_that_would_refuse_messages_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        jdbc().run("ALTER TABLE mutant_dead ADD CONSTRAINT mutant_one UNIQUE (seq)");
        findsAndRepairs(schema, "index mutant_one on mutant_dead (seq) is unique: it would reject messages");
    }

    /** CREATE TABLE PARTITION OF waits for all who use the table, and all who come later wait for it. */
    @Test
    void a_partition_that_cannot_be_created_now_is_left_for_the_next_attempt() throws Exception {
        Schema schema = new Schema(source(), dialect(), jdbc().prefix());
        jdbc().run("DROP TABLE outbox_history_rest");
        try (Connection reader = jdbc().open()) {
            reader.setAutoCommit(false);
            new Jdbc(reader, dialect()).exists("SELECT 1 FROM outbox_history");
            assertThat(catchThrowable(schema::create))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            failure -> assertThat(failure.isTransient()).isTrue());
            reader.rollback();
        }
        schema.create();
        schema.verify();
    }

    @Test
    void a_partition_that_was_detached_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        jdbc().run("ALTER TABLE mutant_history DETACH PARTITION mutant_history_rest");
        findsAndRepairs(schema, "table mutant_history_rest is not a partition of mutant_history");
    }
}
