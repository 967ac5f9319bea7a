package io.outboxed.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.CapturedLog;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingForDatabaseTest {
    private static final String URL = "outbox.datasource.url";
    private static final String LOOKUP = "outbox.datasource.lookup";
    private static final String REFUSED = "OUTBOX-0451 the database refuses the user or the password";

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

    @AfterEach
    void forget() {
        List.of(URL, LOOKUP).forEach(System::clearProperty);
    }

    @Test
    void a_wrong_password_is_said_with_its_settings_but_not_shown() throws SQLException {
        System.setProperty(URL, url);
        try (Connection open = DriverManager.getConnection(url, "sa", "right")) {
            assertThat(open.isValid(1)).isTrue();

            assertThat(lineAfter(() -> DriverManager.getConnection(url, "sa", "secret-but-wrong")))
                    .contains(REFUSED)
                    .contains("outbox.datasource.user and outbox.datasource.password")
                    .doesNotContain("secret-but-wrong", "does not answer");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"28000", "28P01"})
    void a_pool_may_wrap_the_refusal(String state) {
        assertThat(lineAfter(() -> {
                    throw new SQLException("pool", new IllegalStateException(new SQLException("no", state)));
                }))
                .contains(REFUSED);
    }

    @Test
    void with_a_data_source_of_the_server_the_account_is_set_there() {
        assertThat(lineAfter(WaitingForDatabaseTest::refuse))
                .contains("data source java:app/jdbc/outbox")
                .doesNotContain("outbox.datasource.password");

        System.setProperty(LOOKUP, "java:/jdbc/own");
        assertThat(lineAfter(WaitingForDatabaseTest::refuse))
                .contains("the data source that outbox.datasource.lookup names");
    }

    @ParameterizedTest
    @ValueSource(strings = {"08001", "08006", "3D000", "HY000"})
    void any_other_failure_is_no_refusal(String state) {
        assertThat(lineAfter(() -> {
                    throw new SQLException("down", state);
                }))
                .contains("OUTBOX-0451 the database does not answer")
                .doesNotContain("password");
    }

    private static Connection refuse() throws SQLException {
        throw new SQLException("no", "28000", 1045);
    }

    private interface Opening {
        Connection open() throws SQLException;
    }

    private static String lineAfter(Opening opening) {
        try (CapturedLog log = new CapturedLog();
                Connections connections = new Connections(opening::open, Dialect.H2, 1)) {
            StoreException failure =
                    catchThrowableOfType(StoreException.class, () -> connections.autoCommit(jdbc -> null));
            OutboxLog.waitingForDatabase(failure, OutboxConfigReader.account());
            assertThat(log.lines).hasSize(1);
            return log.lines.get(0);
        }
    }
}
