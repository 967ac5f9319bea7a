package io.outboxed.internal.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelayConnectionTest {
    private static final int OF_THE_POOL = 7_000;
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private final List<String> calls = new ArrayList<>();
    private int networkTimeout = OF_THE_POOL;
    private String breaksAt = "";
    private boolean cut;

    /** With the network that a database in memory lacks. */
    private Connection open() throws SQLException {
        Connection real = DriverManager.getConnection(url);
        return WatchedConnection.of(real, call -> {
            calls.add(call.name() + " with a limit of " + networkTimeout);
            if (call.is(breaksAt)) {
                throw new StackOverflowError("in a test");
            }
            if (cut && call.is("createStatement")) {
                throw new SQLException("cut", "08006");
            }
            switch (call.name()) {
                case "getNetworkTimeout":
                    return networkTimeout;
                case "setNetworkTimeout":
                    networkTimeout = (int) call.arguments()[1];
                    return null;
                default:
                    return call.proceed();
            }
        });
    }

    /** The database may have gone silent meanwhile: a statement without a limit would block its thread for minutes. */
    @Test
    void a_borrowed_connection_has_a_short_limit_for_the_network_until_everything_else_is_restored()
            throws SQLException {
        RelayConnection borrowed = RelayConnection.open(ConnectionSource.shared(this::open), Dialect.H2);
        calls.clear();

        borrowed.close();

        assertThat(calls)
                .startsWith("setNetworkTimeout with a limit of 20000")
                .contains("createStatement with a limit of 2000", "setTransactionIsolation with a limit of 2000")
                .endsWith("setNetworkTimeout with a limit of 2000", "close with a limit of " + OF_THE_POOL);
    }

    /** A pool that does not test its connections lends it again, and may open it again, but not with that limit. */
    @Test
    void a_borrowed_connection_that_was_cut_goes_back_without_the_limit() throws SQLException {
        RelayConnection borrowed = RelayConnection.open(ConnectionSource.shared(this::open), Dialect.H2);
        cut = true;

        borrowed.close();

        assertThat(calls).endsWith("close with a limit of " + OF_THE_POOL);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POSTGRESQL | SET statement_timeout = 3135
            MYSQL      | SET SESSION max_execution_time = 3135
            MARIADB    | SET SESSION max_statement_time = 3.135
            """)
    void the_server_gives_a_statement_a_little_less_time_than_its_client(Dialect dialect, String limit)
            throws SQLException {
        List<Object> statements = new ArrayList<>();
        Statement recording = (Statement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("execute")) {
                        statements.add(arguments[0]);
                        return false;
                    }
                    return null;
                });
        ConnectionSource own =
                () -> WatchedConnection.of(open(), call -> call.is("createStatement") ? recording : call.proceed());

        RelayConnection.open(own, dialect, Duration.ofMillis(3_300)).close();

        assertThat(statements).contains(limit);
        assertThat(networkTimeout).isEqualTo(3_300);
    }

    @Test
    void an_error_while_it_is_set_up_does_not_keep_it_from_its_pool() {
        breaksAt = "setTransactionIsolation";

        assertThatThrownBy(() -> RelayConnection.open(ConnectionSource.shared(this::open), Dialect.H2))
                .isInstanceOf(StackOverflowError.class);

        assertThat(calls).anyMatch(call -> call.startsWith("close "));
    }
}
