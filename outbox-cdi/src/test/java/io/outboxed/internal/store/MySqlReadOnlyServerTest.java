package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.datasource.ConfiguredDataSource;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import io.outboxed.internal.store.jdbc.locks.LaneLockProbe;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A former primary, on a server of its own because the setting is that of the server. */
class MySqlReadOnlyServerTest {
    @TempDir
    Path directory;

    @Test
    void a_session_ends_with_the_heartbeat_that_finds_its_server_read_only_and_none_begins_there() throws Exception {
        try (RealMySql server = server();
                JdbcFixture fixture = new JdbcFixture(
                        () -> DriverManager.getConnection(server.url(), server.user(), server.password()),
                        Dialect.MYSQL);
                ClaimLocks session = session(fixture);
                ClaimLocks next = session(fixture)) {
            session.open(LockingNodes.ONE);
            assertThat(session.tryLock(List.of(1L))).hasSize(1);
            assertThat(session.isOpen(LockingNodes.ONE)).isTrue();

            fixture.execute("SET GLOBAL read_only = 1");
            LockSessionEndContract.endsOnReadOnlyServer(session, next);
            assertThatExceptionOfType(StoreException.class)
                    .as("a node that starts now waits")
                    .isThrownBy(() -> new LaneLockProbe(
                                    fixture.source(), Dialect.MYSQL, fixture.prefix(), LockingNodes.LEASE)
                            .check());
            try (Connection lent = fixture.open();
                    ClaimLocks borrowing = new ClaimLocks(
                            ConnectionSource.shared(() -> WatchedConnection.unclosed(lent)),
                            Dialect.MYSQL,
                            fixture.prefix(),
                            LockingNodes.LEASE)) {
                assertThatExceptionOfType(StoreException.class).isThrownBy(() -> borrowing.open(LockingNodes.OTHER));
                assertThat(lent.isClosed()).as("its pool would lend it again").isTrue();
            }

            fixture.execute("SET GLOBAL read_only = 0");
            next.open(LockingNodes.OTHER);
            assertThat(next.isOpen(LockingNodes.OTHER)).isTrue();
            assertThat(next.tryLock(List.of(1L))).hasSize(1);
        }
    }

    /** Its name leads to the new primary, while the pool's connections to the old one are in order. */
    @Test
    void after_a_switchover_a_pooled_connection_fails_one_transaction_and_writes_to_the_new_primary() throws Exception {
        try (RealMySql before = server();
                RealMySql after = RealMySql.start()) {
            System.setProperty("switchover.user", before.user());
            System.setProperty("switchover.password", before.password());
            System.setProperty("switchover.url", before.url());
            ConfiguredDataSource source = new ConfiguredDataSource();
            source.setPrefix("switchover");
            try (Connection pooled = source.getConnection()) {
                pooled.setAutoCommit(false);
                write(pooled);
                pooled.commit();

                try (Statement statement = pooled.createStatement()) {
                    statement.execute("SET GLOBAL read_only = 1");
                }
                System.setProperty("switchover.url", after.url());
                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> write(pooled))
                        .matches(SqlFailure::isReadOnly);
                pooled.rollback();

                write(pooled);
                pooled.commit();
            } finally {
                List.of("url", "user", "password").forEach(key -> System.clearProperty("switchover." + key));
            }
        }
    }

    /** Its account may make it read-only. */
    private RealMySql server() throws IOException {
        Path file = directory.resolve("grant.sql");
        Files.writeString(file, "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO outbox@'%';\n");
        return RealMySql.start(ServerOptions.temporary().with("--init-file=" + file));
    }

    private static void write(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS written (id INT)");
        }
    }

    private static ClaimLocks session(JdbcFixture fixture) {
        return new ClaimLocks(fixture.source(), Dialect.MYSQL, fixture.prefix(), LockingNodes.LEASE);
    }
}
