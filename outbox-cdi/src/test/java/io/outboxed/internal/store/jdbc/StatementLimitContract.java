package io.outboxed.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.store.JdbcContract;
import io.outboxed.internal.store.jdbc.locks.LaneLockProbe;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The server notices no client that is gone: under an overload, each repetition would be one more that runs. */
public interface StatementLimitContract extends JdbcContract {

    @Test
    default void a_statement_that_takes_too_long_ends_in_the_server_although_its_client_is_gone() throws Exception {
        String name = "slow-" + UUID.randomUUID();
        try (RelayConnection relay = RelayConnection.open(jdbc().source(), dialect(), Duration.ofSeconds(5))) {
            relay.connection().setNetworkTimeout(Runnable::run, 500);

            assertThatThrownBy(() -> found(relay.connection(), slow(name))).isInstanceOf(SQLException.class);
        }

        String running = isPostgres()
                ? "pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%" + name + "%'"
                : "information_schema.processlist WHERE id <> CONNECTION_ID() AND info LIKE '%" + name + "%'";
        assertThat(jdbc().count(running)).as("after its client is gone").isEqualTo(1);
        Await.until("the server ends it", () -> jdbc().count(running) == 0);
    }

    @Test
    default void a_statement_that_the_server_ends_may_be_repeated_on_its_connection() throws Exception {
        try (RelayConnection relay = RelayConnection.open(jdbc().source(), dialect(), Duration.ofSeconds(2))) {
            relay.connection().setNetworkTimeout(Runnable::run, 30_000);

            assertThatThrownBy(() -> found(relay.connection(), slow("slow")))
                    .isInstanceOfSatisfying(SQLException.class, e -> {
                        assertThat(SqlFailure.isCancelled(e)).isTrue();
                        StoreException failure = SqlFailure.ofStatement("a query", e);
                        assertThat(failure.isTransient()).isTrue();
                        assertThat(failure.isRowLocked() || failure.isConnectionLost())
                                .isFalse();
                    });

            assertThat(found(relay.connection(), "SELECT 1 AS found")).isEqualTo("1");
        }
    }

    @Test
    default void a_lock_that_the_server_does_not_grant_in_time_says_nothing_about_the_database() {
        ConnectionSource slow = () -> WatchedConnection.of(jdbc().open(), call -> {
            if (call.prepared().contains("pg_try_advisory_lock")
                    || call.prepared().contains("GET_LOCK")) {
                throw new SQLException("canceling statement due to statement timeout", "57014");
            }
            return call.proceed();
        });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> new LaneLockProbe(slow, dialect(), jdbc().prefix(), Duration.ofSeconds(20)).check())
                .matches(StoreException::isTransient);
    }

    /** Whether it is shorter or longer. */
    @Test
    default void a_borrowed_connection_gets_its_own_limit_back() throws Exception {
        for (int own : new int[] {7_000, 70_000}) {
            try (Connection only = jdbc().open()) {
                new Jdbc(only, dialect())
                        .update(
                                switch (dialect()) {
                                    case MYSQL -> "SET SESSION max_execution_time = " + own;
                                    case MARIADB -> "SET SESSION max_statement_time = " + own / 1_000;
                                    default -> "SET statement_timeout = " + own;
                                });
                Connections borrowing =
                        new Connections(ConnectionSource.shared(() -> WatchedConnection.unclosed(only)), dialect(), 1);

                int ofTheRelay = borrowing.autoCommit(jdbc -> limit(only));
                borrowing.close();

                assertThat(ofTheRelay).isEqualTo(19_000);
                assertThat(limit(only)).isEqualTo(own);
            }
        }
    }

    /** In milliseconds. */
    private int limit(Connection connection) throws SQLException {
        return Integer.parseInt(found(
                connection,
                switch (dialect()) {
                    case MYSQL -> "SELECT @@SESSION.max_execution_time AS found";
                    case MARIADB -> "SELECT CAST(@@SESSION.max_statement_time * 1000 AS SIGNED) AS found";
                    default -> "SELECT setting AS found FROM pg_settings WHERE name = 'statement_timeout'";
                }));
    }

    /** Not with SLEEP: MySQL and MariaDB end that without an error, and if its client is gone. */
    private String slow(String name) {
        return isPostgres()
                ? "SELECT '" + name + "' AS found, pg_sleep(300)"
                : "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)" + " SELECT CONCAT('"
                        + name + "', COUNT(*)) AS found FROM n a, n b, n c, n d";
    }

    private String found(Connection connection, String query) throws SQLException {
        return new Jdbc(connection, dialect())
                .first(query, row -> row.getString("found"))
                .orElseThrow();
    }

    private boolean isPostgres() {
        return dialect() == Dialect.POSTGRESQL;
    }

    private Dialect dialect() {
        return jdbc().dialect();
    }
}
