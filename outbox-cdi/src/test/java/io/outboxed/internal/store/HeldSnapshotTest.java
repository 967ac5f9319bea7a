package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMySql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A dump or a report holds a snapshot for hours: MySQL then keeps every acknowledged row, and a read from the start of
 * the shard steps over all of them. Counted in pages that the server reads, not in time.
 */
class HeldSnapshotTest {
    private static final int ACKNOWLEDGED = 150_000;
    private static final int SHARD = 7;

    @AutoClose
    private static final RealMySql SERVER = RealMySql.start();

    @Test
    void reading_above_the_mark_does_not_step_over_what_was_acknowledged() throws SQLException {
        try (JdbcFixture bench = new JdbcFixture(HeldSnapshotTest::connect, Dialect.MYSQL);
                Connection report = connect();
                Statement statement = report.createStatement()) {
            statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            long mark = publishAndAcknowledge(bench);
            MessageHead waiting =
                    bench.publish(new StoreFixture.Draft(UUID.randomUUID(), SHARD, SHARD, "order.placed", "{}", 0));

            MessageReads reads = bench.store().reads();
            long fromTheStart = pages(bench, () -> reads.ready(List.of(new ReadWindow(SHARD, 0, 100))), waiting);
            long aboveTheMark = pages(bench, () -> reads.ready(List.of(new ReadWindow(SHARD, mark, 100))), waiting);
            List<ReadWindow> all = IntStream.range(0, LaneHash.SHARDS)
                    .mapToObj(shard -> new ReadWindow(shard, mark, 100))
                    .toList();
            long allAboveTheMark = pages(bench, () -> reads.ready(all), waiting);
            long inASweep = pages(bench, () -> reads.sweep(all), waiting);

            System.out.printf(
                    "%,d acknowledged rows under a held snapshot: %,d page reads from the start, %,d above the mark;"
                            + " of all shards %,d, in a sweep %,d%n",
                    ACKNOWLEDGED, fromTheStart, aboveTheMark, allAboveTheMark, inASweep);
            assertThat(aboveTheMark * 10).isLessThan(fromTheStart);
            assertThat(inASweep).isLessThan(2 * allAboveTheMark);
        }
    }

    /** The highest number that was acknowledged. */
    private static long publishAndAcknowledge(JdbcFixture bench) throws SQLException {
        bench.execute("SET SESSION cte_max_recursion_depth = " + (ACKNOWLEDGED + 1));
        bench.execute(
                "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload, payload_size,"
                        + " delay_micros, registry_version) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < "
                        + ACKNOWLEDGED + ") SELECT UNHEX(LPAD(HEX(i), 32, '0')), " + SHARD
                        + ", i, 'order', 'o', 'order.placed', '{}', 2, 0, 0 FROM n");
        long highest = bench.number("SELECT MAX(seq) AS n FROM outbox_message");
        bench.execute("DELETE FROM outbox_message");
        return highest;
    }

    /** The pages that the server reads for one query that finds exactly the waiting row. */
    private static long pages(JdbcFixture bench, Supplier<List<MessageHead>> query, MessageHead waiting) {
        return new MySqlCounter(bench, "Innodb_buffer_pool_read_requests")
                .during(() ->
                        assertThat(query.get()).extracting(MessageHead::id).containsExactly(waiting.id()));
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
    }
}
