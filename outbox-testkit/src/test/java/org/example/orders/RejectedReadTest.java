package org.example.orders;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@OutboxTest({Orders.class, Mailer.class})
class RejectedReadTest {

    @Resource
    DataSource database;

    @Inject
    Orders orders;

    @Inject
    OutboxTester outbox;

    @Test
    void a_drain_names_the_error_that_keeps_the_relay_from_reading() throws SQLException {
        orders.place("o-1", 1);
        execute("ALTER TABLE outbox_message RENAME COLUMN headers TO no_headers");

        assertThatThrownBy(outbox::drain).hasStackTraceContaining("Column \"M.HEADERS\" not found");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
