package io.outboxed.internal.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionsTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final List<Connection> opened = new ArrayList<>();
    private long now;
    /** What the pool says instead of giving a connection. */
    private String pool;

    private final Connections connections =
            new Connections(this::open, Dialect.H2, 2, Connections.IDLE_LIMIT, () -> now);

    private Connection open() throws SQLException {
        if (pool != null) {
            throw new SQLException(pool);
        }
        Connection connection = DriverManager.getConnection(url);
        opened.add(connection);
        return connection;
    }

    @AfterEach
    void close() {
        connections.close();
    }

    /** MySQL would end it at its session timeout, and the server's pool would give it to the application. */
    @Test
    void one_that_is_no_longer_needed_is_closed_in_time_even_while_another_is_used_all_the_time() throws SQLException {
        connections.autoCommit(first -> connections.autoCommit(second -> null));
        for (int second = 1; second <= 5; second++) {
            now += Duration.ofSeconds(1).toNanos();
            connections.autoCommit(jdbc -> null);
        }
        assertThat(opened).hasSize(2);
        assertThat(opened.stream().filter(ConnectionsTest::isOpen)).hasSize(1);
    }

    @Test
    void one_that_is_used_only_now_and_then_is_closed_at_once() {
        try (Connections rare = new Connections(this::open, Dialect.H2, 1, Duration.ZERO, () -> now)) {
            rare.autoCommit(jdbc -> null);
            assertThat(opened).noneMatch(ConnectionsTest::isOpen);
        }
    }

    @Test
    void a_request_of_an_operator_that_gets_none_in_time_fails_instead_of_waiting_on() {
        Duration patience = Duration.ofMillis(50);
        try (Connections operators = Connections.forOperators(this::open, Dialect.H2, 1, patience)) {
            operators.autoCommit(held -> {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> operators.autoCommit(jdbc -> null))
                        .withMessage(
                                "connecting to the database: all connections for operators (1) have been in use for 50 ms")
                        .satisfies(e -> assertThat(e.isTransient()).isTrue());
                return null;
            });
            operators.autoCommit(jdbc -> null);
        }
    }

    /** Taken for a rejected row, it would cost decisions. */
    @ParameterizedTest
    @CsvSource({"no connection within 30 s,,0", "password authentication failed,28P01,0", "too many,42000,1203"})
    void a_connection_that_can_not_be_had_is_an_outage_whatever_the_pool_says(String message, String state, int code) {
        try (Connections failing = new Connections(
                () -> {
                    throw new SQLException(message, state, code);
                },
                Dialect.H2,
                1)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> failing.transaction(jdbc -> null))
                    .satisfies(e -> assertThat(e.isTransient()).isTrue())
                    .satisfies(e -> assertThat(e.isRowLocked()).isFalse());
        }
    }

    @Test
    void so_is_one_whose_session_can_not_be_set_up() throws SQLException {
        Connection refusing = WatchedConnection.of(null, call -> {
            if (call.is("setAutoCommit")) {
                throw new SQLException("not now");
            }
            return null;
        });
        try (Connections failing = new Connections(() -> refusing, Dialect.H2, 1)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> failing.transaction(jdbc -> null))
                    .satisfies(e -> assertThat(e.isTransient()).isTrue());
        }
    }

    /** The loop's connection is closed with the others, so it meets no error of its own. */
    @Test
    void a_connection_that_any_thread_loses_or_does_not_get_is_counted() {
        connections.autoCommit(jdbc -> null);
        assertThat(connections.losses()).isZero();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> connections.autoCommit(jdbc -> {
                    throw new SQLException("cut", "08006");
                }));
        assertThat(connections.losses()).isEqualTo(1);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> connections.autoCommit(jdbc -> {
                    opened.get(opened.size() - 1).close();
                    throw new SQLException("a driver that gives no state");
                }));
        assertThat(connections.losses()).isEqualTo(2);

        pool = "no connection within 30 s";
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> connections.autoCommit(jdbc -> null));
        assertThat(connections.losses()).isEqualTo(3);
    }

    @Test
    void a_statement_that_fails_by_itself_is_not_a_lost_connection() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> connections.autoCommit(jdbc -> {
                    throw new SQLException("duplicate key", "23505");
                }));

        assertThat(connections.losses()).isZero();
    }

    /** A connection of a pool that turns auto-commit on when it gets one back, which commits what is open. */
    @Test
    void an_error_rolls_back() throws SQLException {
        connections.autoCommit(jdbc -> jdbc.update("CREATE TABLE decision (id INT)"));
        List<Connection> returned = new ArrayList<>();
        try (Connection pooled = open();
                Connections borrowing = new Connections(() -> lent(pooled, returned), Dialect.H2, 1)) {
            assertThatExceptionOfType(OutOfMemoryError.class)
                    .isThrownBy(() -> borrowing.transaction(jdbc -> {
                        jdbc.update("INSERT INTO decision VALUES (1)");
                        throw new OutOfMemoryError("in a test");
                    }));
            assertThat(returned).as("not used again").containsExactly(pooled);
            List<Integer> stored =
                    connections.autoCommit(jdbc -> jdbc.list("SELECT id FROM decision", row -> row.getInt("id")));
            assertThat(stored).isEmpty();
        }
    }

    private static Connection lent(Connection pooled, List<Connection> returned) {
        return WatchedConnection.of(pooled, call -> {
            if (call.is("close")) {
                pooled.setAutoCommit(true);
                returned.add(pooled);
                return null;
            }
            return call.proceed();
        });
    }

    private static boolean isOpen(Connection connection) {
        try {
            return !connection.isClosed();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** After a failover the old server still answers but is read-only. Its name may already resolve to the new one. */
    @ParameterizedTest
    @CsvSource({"HY000, 1290", "HY000, 1836", "25006, 1792", "25006, 0"})
    void connections_to_a_read_only_server_are_replaced(String state, int code) throws SQLException {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> connections.autoCommit(first -> {
                    connections.autoCommit(second -> null);
                    throw new SQLException("read only", state, code);
                }))
                .satisfies(e -> assertThat(e.isTransient()).isTrue());
        connections.autoCommit(jdbc -> null);
        assertThat(opened).hasSize(3);
        assertThat(opened.get(0).isClosed()).isTrue();
        assertThat(opened.get(1).isClosed()).as("it was idle").isTrue();
    }

    /** Whose pool would lend it again. */
    @Test
    void a_borrowed_connection_to_a_read_only_server_is_ended_and_not_only_returned() throws SQLException {
        List<String> calls = new ArrayList<>();
        ConnectionSource pool = ConnectionSource.shared(() -> noting(open(), calls));
        try (Connections borrowing = new Connections(pool, Dialect.H2, 1)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> borrowing.autoCommit(jdbc -> {
                        throw new SQLException("cut", "08006");
                    }));
            assertThat(calls).as("a pool notices that itself").containsExactly("close");
            calls.clear();

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> borrowing.transaction(jdbc -> {
                        throw new SQLException("read only", "HY000", 1290);
                    }));
            assertThat(calls).containsExactly("rollback", "abort", "close");
        }
    }

    private static Connection noting(Connection real, List<String> calls) {
        return WatchedConnection.of(real, call -> {
            if (List.of("rollback", "abort", "close").contains(call.name())) {
                calls.add(call.name());
            }
            return call.proceed();
        });
    }
}
