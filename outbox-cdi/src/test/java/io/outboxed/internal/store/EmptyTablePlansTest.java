package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A table that was vacuumed when it was empty, while somebody held a snapshot, has many pages and no rows in PostgreSQL's
 * statistics. All indexes seem equally good then, also those through which a statement walks from end to end.
 */
class EmptyTablePlansTest {
    private static final int ROWS = 20_000;

    @Test
    void reads_and_deletes_use_the_index_that_leads_to_their_rows() throws SQLException {
        try (RealPostgres server = RealPostgres.start();
                JdbcBench bench = new JdbcBench(() -> connect(server), Dialect.POSTGRESQL)) {
            misleadStatistics(server, bench.admin);
            RelayConnection relay = RelayConnection.open(bench.source(), Dialect.POSTGRESQL);
            try {
                Jdbc jdbc = new Jdbc(relay.connection(), Dialect.POSTGRESQL);
                Sql sql = new Sql(Dialect.POSTGRESQL, JdbcBench.PREFIX);

                assertPlan(
                        jdbc,
                        "outbox_message_ready",
                        sql.ready(2),
                        array(jdbc, "smallint", 7, 8),
                        array(jdbc, "bigint", 0L, 0L),
                        array(jdbc, "bigint", 100L, 100L));
                assertPlan(
                        jdbc,
                        "outbox_message_pkey",
                        sql.deleteUntouchedRows.orElseThrow(),
                        array(jdbc, "bigint", 1L, 2L),
                        array(jdbc, "uuid", UUID.randomUUID(), UUID.randomUUID()));
                assertPlan(jdbc, "outbox_message_lane", sql.lane, 7L, 100);
                assertPlan(jdbc, "outbox_message_(pkey|id)", sql.deleteMarked, 7L, UUID.randomUUID(), 1);
            } finally {
                relay.close();
            }
        }
    }

    private static void misleadStatistics(RealPostgres server, Connection admin) throws SQLException {
        fill(admin);
        try (Connection report = connect(server)) {
            report.setAutoCommit(false);
            report.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            execute(report, "SELECT COUNT(*) FROM outbox_meta");
            execute(admin, "DELETE FROM outbox_message");
            execute(admin, "VACUUM (ANALYZE) outbox_message");
            report.rollback();
        }
        fill(admin);
    }

    private static void fill(Connection admin) throws SQLException {
        execute(
                admin,
                "INSERT INTO outbox_message (id, shard, lane, type, payload, payload_size) SELECT gen_random_uuid(), i % 64,"
                        + " i, 'order.placed', '{}', 2 FROM generate_series(1, " + ROWS + ") AS i");
    }

    private static void assertPlan(Jdbc jdbc, String index, String statement, Object... parameters)
            throws SQLException {
        String plan = String.join("\n", jdbc.list("EXPLAIN " + statement, row -> row.getString(1), parameters));
        assertThat(indexes(plan)).as(plan).isNotEmpty().allMatch(used -> used.matches(index));
    }

    private static List<String> indexes(String plan) {
        return plan.lines()
                .filter(line -> line.contains(" on outbox_message"))
                .filter(line -> !line.contains("Delete on"))
                .map(line -> line.replaceFirst(".* using (\\w+) on .*", "$1"))
                .toList();
    }

    private static Object array(Jdbc jdbc, String type, Object... values) throws SQLException {
        return jdbc.connection().createArrayOf(type, values);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect(RealPostgres server) throws SQLException {
        return DriverManager.getConnection(server.url(), server.user(), server.password());
    }
}
