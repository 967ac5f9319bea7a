package io.outboxed.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.sql.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The age of the oldest message that waits for an attempt, of which there may be a million. */
class OldestWaitingTest {
    private static final long HOUR = TimeUnit.HOURS.toMicros(1);
    private static final String OLDEST = new Sql(Dialect.H2, SqlText.DEFAULT_PREFIX).statistics.oldestWaiting;

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private Connection connection;
    private Jdbc jdbc;

    @BeforeEach
    void createTables() throws SQLException {
        connection = DriverManager.getConnection(url);
        new Schema(() -> DriverManager.getConnection(url), Dialect.H2, SqlText.DEFAULT_PREFIX).create();
        jdbc = new Jdbc(connection, Dialect.H2);
        jdbc.update("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at)"
                + " SELECT x, 'A', 0, x FROM SYSTEM_RANGE(1, 12000)");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void a_sample_follows_an_index_to_the_first_aggregates_of_each_shard() throws SQLException {
        String plan = jdbc.first("EXPLAIN " + OLDEST, row -> row.getString(1)).orElseThrow();

        assertThat(plan).contains("OUTBOX_LANE_RESUME: SHARD = 63").doesNotContain("tableScan");
    }

    @Test
    void an_old_message_is_found_however_many_aggregates_of_other_shards_come_before_it() throws SQLException {
        UUID id = UUID.randomUUID();
        jdbc.update(
                "INSERT INTO outbox_message (seq, id, shard, lane, type, payload, payload_size, registry_version, created_at)"
                        + " VALUES (1, ?, 7, 77777, 'order.placed', '{}', 2, 0, DATEADD('HOUR', -1, CURRENT_TIMESTAMP))",
                id);
        jdbc.update(
                "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state)"
                        + " VALUES (?, 'a', 'A', 1, 77777, 7, 0)",
                id);
        jdbc.update("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) VALUES (77777, 'A', 7, 99999999)");

        assertThat(jdbc.number(OLDEST).orElseThrow()).isBetween(HOUR, HOUR + HOUR / 10);
    }
}
