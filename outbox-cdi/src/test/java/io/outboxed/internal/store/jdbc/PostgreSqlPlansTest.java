package io.outboxed.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.store.JdbcFixture;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.sql.DeadLetterSql;
import io.outboxed.internal.store.sql.Sql;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No statement of the relay scans a whole table or index, whatever the planner believes about them. */
class PostgreSqlPlansTest {
    private static final List<String> LARGE =
            List.of("outbox_message", "outbox_delivery", "outbox_lane", "outbox_dead");
    private static final Pattern SCAN =
            Pattern.compile("Scan (?:.*using (\\w+) )?on (?:" + String.join("|", LARGE) + ")\\b");
    private static final Map<String, String> FIRST_COLUMNS = Map.ofEntries(
            Map.entry("outbox_message_pkey", "seq"),
            Map.entry("outbox_message_id", "id"),
            Map.entry("outbox_message_ready", "shard"),
            Map.entry("outbox_message_lane", "lane"),
            Map.entry("outbox_delivery_pkey", "message_id"),
            Map.entry("outbox_delivery_lane", "lane"),
            Map.entry("outbox_lane_pkey", "lane"),
            Map.entry("outbox_lane_resume", "shard"),
            Map.entry("outbox_dead_pkey", "message_id"),
            Map.entry("outbox_dead_died", "died_at"),
            Map.entry("outbox_dead_handler", "handler"),
            Map.entry("outbox_dead_type", "type"),
            Map.entry("outbox_dead_aggregate", "aggregate_id"),
            Map.entry("outbox_dead_blocking", "blocking"));
    /** All dead letters may be of one handler, type and aggregate. */
    private static final Pattern MANY_DEAD = Pattern.compile("using outbox_dead_(?!pkey)");

    private static final int ROWS = 20_000;

    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start();

    private static JdbcFixture bench;

    @BeforeAll
    static void start() throws SQLException {
        bench = new JdbcFixture(PostgreSqlPlansTest::connect, Dialect.POSTGRESQL);
        fill();
    }

    @AfterAll
    static void stop() throws SQLException {
        bench.close();
    }

    @Test
    void an_index_condition_leads_to_the_rows_of_a_table_with_exact_statistics() throws SQLException {
        execute("VACUUM (ANALYZE)");

        assertNothingIsScanned();
    }

    /**
     * Vacuumed while it was empty and another transaction held a snapshot, a table has many pages but no rows in its
     * statistics.
     */
    @Test
    void an_index_condition_leads_to_the_rows_of_a_table_that_seems_to_be_empty() throws SQLException {
        try (Connection report = connect()) {
            report.setAutoCommit(false);
            report.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = report.createStatement()) {
                statement.execute("SELECT COUNT(*) FROM outbox_meta");
            }
            for (String table : LARGE) {
                execute("DELETE FROM " + table);
                execute("VACUUM (ANALYZE) " + table);
            }
            report.rollback();
        }
        fill();

        assertNothingIsScanned();
    }

    /** It is counted in a session without the relay's settings, also by the command line. */
    @Test
    void the_count_of_parked_messages_reads_no_others_in_any_session() throws SQLException {
        execute(
                "INSERT INTO outbox_lane (lane, handler_group, shard) SELECT i, '*', i % 64 FROM generate_series(1, 5000) i");
        execute("VACUUM (ANALYZE)");

        try (Connection session = connect()) {
            List<String> plan = new Jdbc(session, Dialect.POSTGRESQL)
                    .list(
                            "EXPLAIN " + new Sql(Dialect.POSTGRESQL, SqlText.DEFAULT_PREFIX).statistics.countParked,
                            row -> row.getString(1),
                            100_000);

            assertThat(plan)
                    .as(String.join("\n", plan))
                    .noneMatch(line -> line.contains("Seq Scan on outbox_message"))
                    .anyMatch(line -> line.contains("Index Cond: (lane = "))
                    .filteredOn(line -> line.contains("Limit"))
                    .as("of the messages, and of the lanes, which may have none")
                    .hasSize(2);
        } finally {
            execute("DELETE FROM outbox_lane WHERE handler_group = '*'");
        }
    }

    private static void assertNothingIsScanned() throws SQLException {
        RelayConnection relay = RelayConnection.open(bench.source(), Dialect.POSTGRESQL);
        try {
            Jdbc jdbc = new Jdbc(relay.connection(), Dialect.POSTGRESQL);
            List<String> scans = new ArrayList<>();
            for (Query query : statements(jdbc, new Sql(Dialect.POSTGRESQL, SqlText.DEFAULT_PREFIX))) {
                List<String> plan =
                        jdbc.list("EXPLAIN " + query.statement, row -> row.getString(1), query.parameters.toArray());
                if (scans(plan)
                        || query.isOfOneEvent()
                                && MANY_DEAD.matcher(String.join("\n", plan)).find()) {
                    scans.add(query.statement + "\n" + String.join("\n", plan));
                }
            }
            assertThat(scans).isEmpty();
        } finally {
            relay.close();
        }
    }

    private static boolean scans(List<String> plan) {
        for (int i = 0; i < plan.size(); i++) {
            Matcher scan = SCAN.matcher(plan.get(i));
            if (scan.find()) {
                String condition = i + 1 < plan.size() ? plan.get(i + 1) : "";
                String first = FIRST_COLUMNS.getOrDefault(scan.group(1), "an index");
                if (!condition.contains("Index Cond:") || !condition.contains("(" + first)) {
                    return true;
                }
            }
        }
        return false;
    }

    private record Query(String statement, List<Object> parameters) {
        boolean isOfOneEvent() {
            return statement.contains("message_id = ?");
        }
    }

    private static List<Query> statements(Jdbc jdbc, Sql sql) throws SQLException {
        Object seqs = array(jdbc, "bigint", 7L, 9L);
        UUID id = UUID.randomUUID();
        Object ids = array(jdbc, "uuid", id, UUID.randomUUID());
        List<Query> all = new ArrayList<>();
        for (List<Long> without : List.of(List.<Long>of(), List.of(5L, -6L))) {
            List<ReadWindow> windows = List.of(new ReadWindow(7, 7, 100), new ReadWindow(8, 9, 100, without));
            all.add(query(
                    sql.read.ready(windows), array(jdbc, "smallint", 7, 8), seqs, array(jdbc, "bigint", 100L, 100L)));
        }
        for (String named : List.of(
                sql.messages.lockFreeRows,
                sql.messages.hasRows,
                sql.messages.deleteRows,
                sql.messages.deleteUntouchedRows.orElseThrow(),
                sql.messages.touchRows,
                sql.messages.splitRows,
                sql.messages.parkRows,
                sql.messages.startRows,
                sql.messages.keepRows)) {
            all.add(query(named, seqs, ids));
        }
        for (String one : List.of(
                sql.messages.lockFreeMessage,
                sql.messages.deleteMessage,
                sql.messages.splitMessage,
                sql.messages.keepMessage)) {
            all.add(query(one, 7L, id));
        }
        all.add(query(sql.messages.claimMessage, 7L, id, 1));
        all.add(query(sql.messages.deleteClaimed, 7L, id, 1));
        all.add(query(sql.deadLetters.addDeadLetter, "A", "A", 1, "error", 0, 7L, id));
        all.add(query(sql.read.bodies(2), 7L, 9L));
        all.add(query(sql.read.bodiesWithoutPayload(2), 7L, 9L));
        all.add(query(sql.read.waitingShards(2), 7, 9));
        all.add(query(sql.read.lanes(2), seqs, 100));
        all.add(query(sql.lanes.anyParked, 7L));
        all.add(query(sql.read.following(2), seqs, seqs));
        all.add(query(sql.read.waiting, 7L, "A", 7L, "A", 100));
        all.add(query(sql.read.lastError, id, "A", 7L));
        all.add(query(sql.read.unadopted, 7L, "A", 7L, 100));
        all.add(query(sql.lanes.firstWaiting(2), seqs, array(jdbc, "text", "A", "B")));
        all.add(query(sql.deliveries.ofMessage, id, 7L));
        all.add(query(sql.deliveries.ofMessages(2), id, id));
        all.add(query(sql.deliveries.changeDelivery, "A", 1, 1, 7L, "error", id, "A", 7L));
        all.add(query(sql.deliveries.countAttempt, 1, id, "A", 7L));
        all.add(query(sql.deliveries.deleteDelivery, id, "A", 7L));
        all.add(query(sql.deliveries.deleteDone, id, 7L));
        all.add(query(sql.deliveries.deleteDeliveries, id, 7L));
        all.add(query(sql.read.done(2), id, id));
        all.add(query(sql.deadLetters.anyDead(2), id, id));
        for (String one : List.of(
                sql.deadLetters.oneDead,
                sql.deadLetters.deadRow,
                sql.deadLetters.deadLetter,
                sql.deadLetters.deleteDeadLetter,
                sql.deadLetters.replay)) {
            all.add(query(one, id, "A"));
        }
        all.add(query(sql.deadLetters.newestDead(List.of(DeadLetterSql.DEAD_MESSAGE)), id, 100));
        for (String same :
                List.of(DeadLetterSql.DEAD_HANDLER, DeadLetterSql.DEAD_TYPE, DeadLetterSql.DEAD_AGGREGATE_ID)) {
            all.add(query(sql.deadLetters.newestDead(List.of(same)), "A", 100));
            all.add(query(sql.deadLetters.newestDead(List.of(DeadLetterSql.DEAD_MESSAGE, same)), id, "A", 100));
            all.add(query(sql.deadLetters.countDead(List.of(DeadLetterSql.DEAD_MESSAGE, same)), id, "A", 100));
        }
        all.add(query(sql.deadLetters.newestDead(List.of(DeadLetterSql.DEAD_BLOCKING)), 1, 100));
        all.add(query(
                sql.deadLetters.oldestDead(List.of(DeadLetterSql.DEAD_MESSAGE, DeadLetterSql.DEAD_HANDLER)),
                id,
                "A",
                100));
        all.add(query(
                sql.deadLetters.newestDead(List.of(DeadLetterSql.DEAD_HANDLER, DeadLetterSql.DIED_BEFORE)),
                "A",
                7L,
                7L,
                id,
                "A",
                100));
        all.add(query(
                sql.deadLetters.oldestDead(List.of(DeadLetterSql.DIED_UNTIL, DeadLetterSql.DIED_AFTER)),
                9L,
                7L,
                7L,
                id,
                "A",
                100));
        all.add(query(sql.read.due(2, 0), 7, 8, 100));
        all.add(query(sql.read.due(2, 1), 7, 8, "B", 100));
        all.add(query(sql.read.dueOf(2), 7L, 8L));
        all.add(query(sql.read.waits(2), 7L, 8L));
        all.add(query(sql.statistics.oldestReady));
        all.add(query(sql.statistics.oldestWaiting));
        return all;
    }

    private static Query query(String statement, Object... parameters) {
        return new Query(statement, List.of(parameters));
    }

    private static void fill() throws SQLException {
        String each = " FROM generate_series(1, " + ROWS + ") AS i";
        execute("INSERT INTO outbox_message (id, shard, lane, type, payload, payload_size)"
                + " SELECT gen_random_uuid(), i % 64, i, 'order.placed', '{}', 2" + each);
        execute("INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state, attempts)"
                + " SELECT gen_random_uuid(), 'A', 'A', i, i, i % 64, 0, 1" + each);
        execute("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) SELECT i, 'A', i % 64, i" + each);
        execute(
                "INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, type, payload, payload_size, registry_version, attempts,"
                        + " error, died_at, blocking, created_at)"
                        + " SELECT gen_random_uuid(), 'A', 'A', i, i % 64, i, 'order.placed', '{}', 2, 0, 1, '', i, 0, now()"
                        + each);
    }

    private static Object array(Jdbc jdbc, String type, Object... values) throws SQLException {
        return jdbc.connection().createArrayOf(type, values);
    }

    private static void execute(String sql) throws SQLException {
        try (Statement statement = bench.admin.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
    }
}
