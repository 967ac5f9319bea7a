package io.outboxed.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.schema.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JdbcBacklogTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final AtomicInteger opened = new AtomicInteger();

    private Connection open() throws SQLException {
        opened.incrementAndGet();
        return DriverManager.getConnection(url, "sa", "");
    }

    /** Every node counts every few seconds, and PostgreSQL starts a process for each connection. */
    @Test
    void one_count_of_the_backlog_opens_one_connection() {
        new Schema(this::open, Dialect.H2, "outbox_").create();
        try (JdbcRelayStore store =
                new JdbcRelayStore(this::open, Dialect.H2, "outbox_", false, dropped -> {}, Duration.ofSeconds(10))) {
            opened.set(0);
            assertThat(store.store().statistics().backlog().ready()).isZero();
            assertThat(opened).hasValue(1);
        }
    }
}
