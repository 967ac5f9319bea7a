package io.outboxed.bench.systems;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.bench.Options;
import io.outboxed.bench.database.Backlog;
import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Product;
import io.outboxed.bench.database.Shape;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The systems that Outboxed is compared with do what they are measured for: on H2, with few messages. */
class PlainSystemsTest {
    private static final int MESSAGES = 700;

    @TempDir
    Path directory;

    private BenchDatabase database;
    private Backlog backlog;

    @BeforeEach
    void start() {
        database = BenchDatabase.start(Product.H2, Options.of(Map.of("bench.directory", directory.toString())));
        backlog = new Backlog(database);
    }

    @AfterEach
    void end() {
        database.close();
    }

    @Test
    void the_limit_deletes_every_row() throws SQLException {
        try (LimitDrainer limit = new LimitDrainer(database, backlog)) {
            Drained drained = limit.drain(Shape.of(Shape.TICK, MESSAGES, 50));

            assertThat(drained.messages()).isEqualTo(MESSAGES);
            assertThat(drained.perSecond()).isPositive();
            assertThat(count("limit_message")).isZero();
        }
    }

    @Test
    void the_jdbc_loop_leaves_one_row_for_each_message() throws SQLException {
        try (JdbcLoopDrainer loop = new JdbcLoopDrainer(database, backlog)) {
            loop.drain(Shape.of(Shape.ENTRY, MESSAGES, 50));

            assertThat(count("limit_message")).isZero();
            assertThat(count("bench_effect")).isEqualTo(MESSAGES);
        }
    }

    @Test
    void the_peer_gets_as_much_as_it_can_handle_and_handles_it() throws SQLException {
        try (GruelboxDrainer peer = new GruelboxDrainer(database, 40)) {
            int given = peer.messagesOf(MESSAGES);
            Drained drained = peer.drain(Shape.of(Shape.TICK, given, 50));

            assertThat(given).isEqualTo(40);
            assertThat(drained.messages()).isEqualTo(40);
        }
    }

    @Test
    void a_backlog_is_not_seen_before_it_is_released() throws SQLException {
        backlog.createOutbox("limit_");
        Backlog.Hidden hidden = backlog.fill(Shape.of(Shape.TICK, MESSAGES, 50), "limit_");

        assertThat(count("limit_message")).isZero();
        hidden.release();
        assertThat(count("limit_message")).isEqualTo(MESSAGES);
    }

    private long count(String table) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
