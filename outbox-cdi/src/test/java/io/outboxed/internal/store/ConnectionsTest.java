package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionsTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final List<Connection> opened = new ArrayList<>();
    private final Connections connections = new Connections(this::open, Dialect.H2, 2);

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        opened.add(connection);
        return connection;
    }

    @AfterEach
    void close() {
        connections.close();
    }

    /** After a failover the old server still answers: it only does not write. Its name may lead to the new one by now. */
    @ParameterizedTest
    @CsvSource({"HY000, 1290", "HY000, 1836", "25006, 1792", "25006, 0"})
    void connections_to_a_server_that_only_reads_are_replaced(String state, int code) throws SQLException {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> connections.read(first -> {
                    connections.read(second -> null);
                    throw new SQLException("read only", state, code);
                }))
                .satisfies(e -> assertThat(e.isTransient()).isTrue());
        connections.read(jdbc -> null);
        assertThat(opened).hasSize(3);
        assertThat(opened.get(0).isClosed()).isTrue();
        assertThat(opened.get(1).isClosed()).as("it was idle").isTrue();
    }
}
