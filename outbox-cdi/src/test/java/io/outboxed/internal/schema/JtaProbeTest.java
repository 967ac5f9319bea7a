package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JtaProbeTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final JtaProbe probe = new JtaProbe(this::open, Dialect.H2, "outbox_");

    @BeforeEach
    void createTables() {
        new Schema(this::open, Dialect.H2, "outbox_").create();
    }

    @Test
    void a_connection_that_joins_the_transaction_is_accepted() throws SQLException {
        assertThatCode(() -> probe.check("the data source", this::rolledBack)).doesNotThrowAnyException();
        assertThat(leftBehind()).isZero();
    }

    @Test
    void a_connection_that_commits_by_itself_is_refused_and_leaves_nothing_behind() throws SQLException {
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> probe.check("the data source", this::atOnce))
                .withMessageStartingWith("OUTBOX-0309 the data source takes part in no JTA transaction")
                .withMessageContaining("jta=\"false\"")
                .withMessageContaining("transactional=\"false\"");
        assertThat(leftBehind()).isZero();
    }

    @Test
    void a_probe_that_fails_is_reported_with_its_cause() {
        IllegalStateException cause = new IllegalStateException("no transaction manager");
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> probe.check("the data source", write -> {
                    throw cause;
                }))
                .withMessageStartingWith("OUTBOX-0310 ")
                .withCause(cause);
    }

    @Test
    void the_probe_waits_for_a_database_that_went_away() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> probe.check("the data source", write -> {
                    throw new IllegalStateException(new SQLRecoverableException("gone"));
                }))
                .matches(StoreException::isTransient);
    }

    @Test
    void another_way_to_the_same_tables_may_be_outside_jta() throws SQLException {
        assertThat(probe.isOutsideJta("jdbc/main", this::rolledBack)).isFalse();
        assertThat(probe.isOutsideJta("jdbc/main", this::atOnce)).isTrue();
        assertThat(leftBehind()).isZero();
    }

    @Test
    void a_way_to_another_database_is_none() {
        assertThat(probe.isOutsideJta("jdbc/reports", write -> {
                    try (Connection other = DriverManager.getConnection("jdbc:h2:mem:" + UUID.randomUUID())) {
                        write.on(other);
                    }
                }))
                .isFalse();
    }

    /** Otherwise a row would stay there at each start. */
    @Test
    void a_way_outside_jta_to_another_outbox_leaves_nothing_behind_there() throws SQLException {
        String elsewhere = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        new Schema(() -> DriverManager.getConnection(elsewhere), Dialect.H2, "outbox_").create();

        assertThat(probe.isOutsideJta("jdbc/reports", write -> {
                    try (Connection other = DriverManager.getConnection(elsewhere)) {
                        write.on(other);
                    }
                }))
                .isFalse();
        try (Connection other = DriverManager.getConnection(elsewhere)) {
            assertThat(leftBehind(other)).isZero();
        }
    }

    private void rolledBack(JtaProbe.Write write) throws SQLException {
        try (Connection connection = open()) {
            connection.setAutoCommit(false);
            write.on(connection);
            connection.rollback();
        }
    }

    private void atOnce(JtaProbe.Write write) throws SQLException {
        try (Connection connection = open()) {
            write.on(connection);
        }
    }

    private Connection open() throws SQLException {
        return DriverManager.getConnection(url, "sa", "");
    }

    private long leftBehind() throws SQLException {
        try (Connection connection = open()) {
            return leftBehind(connection);
        }
    }

    private static long leftBehind(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM outbox_meta"
                        + " WHERE name LIKE 'probe%' AND (name <> 'probe' OR setting <> 0)")) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }
}
