package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import io.outboxed.internal.store.jdbc.locks.LaneLockProbe;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.ServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A former primary, on a server of its own because the setting is that of the server. */
class MySqlReadOnlyServerTest {
    @TempDir
    Path directory;

    @Test
    void a_session_ends_with_the_heartbeat_that_finds_its_server_read_only_and_none_begins_there() throws Exception {
        Path file = directory.resolve("grant.sql");
        Files.writeString(file, "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO outbox@'%';\n");
        try (RealMySql server = RealMySql.start(ServerOptions.temporary().with("--init-file=" + file));
                JdbcFixture fixture = new JdbcFixture(
                        () -> DriverManager.getConnection(server.url(), server.user(), server.password()),
                        Dialect.MYSQL);
                ClaimLocks session = session(fixture);
                ClaimLocks next = session(fixture)) {
            session.open(LaneLocksContract.ONE);
            assertThat(session.tryLock(List.of(1L))).hasSize(1);
            assertThat(session.isOpen(LaneLocksContract.ONE)).isTrue();

            fixture.execute("SET GLOBAL read_only = 1");
            LockSessionEndContract.endsOnReadOnlyServer(session, next);
            assertThatExceptionOfType(StoreException.class)
                    .as("a node that starts now waits")
                    .isThrownBy(() -> new LaneLockProbe(
                                    fixture.source(), Dialect.MYSQL, fixture.prefix(), LaneLocksContract.LEASE)
                            .check());

            fixture.execute("SET GLOBAL read_only = 0");
            next.open(LaneLocksContract.OTHER);
            assertThat(next.isOpen(LaneLocksContract.OTHER)).isTrue();
            assertThat(next.tryLock(List.of(1L))).hasSize(1);
        }
    }

    private static ClaimLocks session(JdbcFixture fixture) {
        return new ClaimLocks(fixture.source(), Dialect.MYSQL, fixture.prefix(), LaneLocksContract.LEASE);
    }
}
