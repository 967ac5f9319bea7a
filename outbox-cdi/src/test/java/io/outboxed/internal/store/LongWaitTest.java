package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.servers.database.RealMySql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** While a backlog of waiting deliveries is worked off, each page reads only its own rows, on MySQL. */
class LongWaitTest {
    private static final int WAITING = 20_000;
    private static final long LANE = LaneHash.lane("order", "o-1");
    private static final int SHARD = LaneHash.shard(LANE);
    private static final int PAGE = 20;
    private static final int GROUPS = 2;

    @AutoClose
    private static final RealMySql SERVER = RealMySql.start();

    @Test
    void a_page_of_a_long_wait_reads_little_more_than_its_own_rows() throws SQLException {
        try (JdbcFixture bench = new JdbcFixture(LongWaitTest::connect, Dialect.MYSQL)) {
            fill(bench);
            MessageReads reads = bench.store().reads();
            MySqlCounter rowsRead = new MySqlCounter(bench, "Innodb_rows_read");

            long waiting = rowsRead.during(
                    () -> assertThat(reads.waiting(LANE, "A", PAGE)).hasSize(PAGE));
            long unadopted = rowsRead.during(
                    () -> assertThat(reads.unadopted(LANE, 0, PAGE)).hasSize(PAGE));
            long backlog = rowsRead.during(
                    () -> assertThat(bench.store().statistics().backlog(1).oldestAge())
                            .isPositive());
            long view;
            try (OutboxOperations operations = OutboxOperations.open(bench.source(), SqlText.DEFAULT_PREFIX)) {
                view = rowsRead.during(() -> assertThat(
                                operations.aggregates().of("order", "o-1").waits())
                        .hasSize(2));
            }

            System.out.printf(
                    "a page of %d of %,d waiting deliveries: %,d rows read, of those without a handler %,d;"
                            + " the age of the oldest one: %,d; what holds up their aggregate: %,d%n",
                    PAGE, WAITING, waiting, unadopted, backlog, view);
            assertThat(waiting).isGreaterThanOrEqualTo(PAGE).isLessThan(10 * PAGE);
            assertThat(unadopted).isGreaterThanOrEqualTo(PAGE).isLessThan(10 * PAGE);
            assertThat(backlog).as("a few rows of each shard").isPositive().isLessThan(10L * LaneHash.SHARDS);
            assertThat(view)
                    .as("each delivery and each message are counted, and the first delivery of each group is read")
                    .isGreaterThanOrEqualTo(WAITING)
                    .isLessThan((GROUPS + 1) * WAITING + 10 * PAGE);
        }
    }

    private static void fill(JdbcFixture bench) throws SQLException {
        bench.execute("SET SESSION cte_max_recursion_depth = " + (WAITING + 1));
        bench.execute("INSERT INTO outbox_message (id, shard, lane, status, version, type, payload, payload_size)"
                + " WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < " + WAITING
                + ") SELECT UNHEX(LPAD(HEX(i), 32, '0')), " + SHARD + ", " + LANE
                + ", 3, 1, 'order.placed', '{}', 2 FROM n");
        for (String group : new String[] {"A", LaneWait.NO_HANDLER}) {
            bench.execute(
                    "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state, attempts,"
                            + " due_at) SELECT id, '" + group + "', '" + group + "', seq, lane, shard, 0, 0, 0"
                            + " FROM outbox_message");
            bench.execute("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) VALUES (" + LANE + ", '"
                    + group + "', " + SHARD + ", 0)");
        }
        bench.execute("ANALYZE TABLE outbox_message, outbox_delivery");
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
    }
}
