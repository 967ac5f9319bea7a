package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * H2 shows a table to other sessions before the statement that creates it has added its keys, and commits each
 * statement, so that a node may die between two.
 */
class HalfCreatedTableTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private int reads;

    @BeforeEach
    void create() throws SQLException {
        schema(this::connect).create();
        execute("ALTER TABLE outbox_message DROP PRIMARY KEY");
    }

    @Test
    void a_node_that_sees_a_table_without_its_keys_looks_again() {
        schema(() -> {
                    if (reads++ == 3) {
                        execute("ALTER TABLE outbox_message ADD PRIMARY KEY (seq)");
                    }
                    return connect();
                })
                .create();
    }

    @Test
    void a_table_that_stays_without_its_keys_is_rejected() {
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> schema(this::connect).create())
                .withMessageStartingWith("OUTBOX-0304")
                .withMessageContaining("primary key of outbox_message is ()");
    }

    @Test
    void an_index_that_a_node_did_not_come_to_create_is_created() throws SQLException {
        execute("ALTER TABLE outbox_message ADD PRIMARY KEY (seq)");
        execute("DROP INDEX outbox_dead_died");

        schema(this::connect).create();

        assertThat(schema(this::connect).findings()).isEmpty();
    }

    private static Schema schema(ConnectionSource source) {
        return new Schema(source, Dialect.H2, "outbox_");
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
