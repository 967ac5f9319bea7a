package io.outboxed.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingItem;
import io.outboxed.admin.WaitingPage;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.schema.Schema;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A list of what waits reads a bounded number of messages, whatever the backlog is made of. */
class WaitingPagesTest {
    private static final String PREFIX = "outbox_";
    private static final int ROWS = 20_000;
    /** The messages before it are ready, those after it wait for a handler. */
    private static final int FIRST_WAITING = 18_000;

    @Test
    void on_postgresql_a_page_stops_and_goes_on_and_each_step_follows_the_primary_keys() throws Exception {
        try (RealPostgres server = RealPostgres.start()) {
            fill(server, Dialect.POSTGRESQL);
            pages(server, Dialect.POSTGRESQL);
            for (Query query : steps(Dialect.POSTGRESQL)) {
                assertThat(String.join("\n", plan(server, Dialect.POSTGRESQL, query, "QUERY PLAN")))
                        .as(query.statement)
                        .containsPattern("using outbox_message_pkey on outbox_message m.*\\s+Index Cond: \\(\\(?seq >")
                        .doesNotContain("Seq Scan", "Hash Join", "Merge Join");
            }
        }
    }

    @Test
    void on_mysql_a_page_stops_and_goes_on_and_each_step_follows_the_primary_keys() throws Exception {
        try (RealMySql server = RealMySql.start()) {
            fill(server, Dialect.MYSQL);
            pages(server, Dialect.MYSQL);
            for (Query query : steps(Dialect.MYSQL)) {
                assertThat(plan(server, Dialect.MYSQL, query, "table", "type", "key"))
                        .as(query.statement)
                        .allMatch(line -> line.matches("m range PRIMARY|d (eq_)?ref PRIMARY"))
                        .contains("m range PRIMARY");
            }
        }
    }

    private static void pages(RealDatabase server, Dialect dialect) {
        try (Connections connections = new Connections(() -> connect(server), dialect, 1)) {
            MessageSearch search = new MessageSearch(connections, new OperationsSql(dialect, PREFIX), 1_000, 4_000);
            WaitingFilter waiting = WaitingFilter.in(WaitingState.WAITING);

            WaitingPage first = search.page(waiting, null, 10);
            assertThat(first.items()).as("nothing waits among the first 4,000").isEmpty();
            assertThat(first.next()).isNotNull();
            List<WaitingItem> found = new ArrayList<>();
            int calls = 0;
            for (WaitingPage page = first; page != null; calls++) {
                found.addAll(page.items());
                page = page.next() == null ? null : search.page(waiting, WaitingPosition.of(page.next()), 300);
            }
            int waits = ROWS - FIRST_WAITING;
            assertThat(found)
                    .extracting(item -> item.seq() + item.handler())
                    .hasSize(2 * waits)
                    .doesNotHaveDuplicates();
            assertThat(found).extracting(WaitingItem::seq).isSorted();
            assertThat(calls).isLessThan(25);

            assertThat(search.page(WaitingFilter.in(WaitingState.READY), null, 10)
                            .items())
                    .extracting(WaitingItem::seq)
                    .startsWith(1L)
                    .hasSize(10);
            WaitingPage none = search.page(waiting.handler("nobody"), null, 10);
            for (;
                    none.next() != null;
                    none = search.page(waiting.handler("nobody"), WaitingPosition.of(none.next()), 10)) {
                assertThat(none.items()).isEmpty();
            }
            assertThat(none.items()).isEmpty();
        }
    }

    private record Query(String statement, Object... parameters) {}

    private static List<Query> steps(Dialect dialect) {
        OperationsSql sql = new OperationsSql(dialect, PREFIX);
        List<String> none = List.of();
        return List.of(
                new Query(sql.endOfStep, 12_000L, 4_999),
                new Query(sql.messages(none), 2, 12_000L, 17_000L, 51),
                new Query(sql.messages(List.of(OperationsSql.TYPE)), 0, 12_000L, 17_000L, "order.placed", 51),
                new Query(sql.deliveries(none), 0, 15_000L, 20_000L, 15_000L, "", 51),
                new Query(sql.deliveries(List.of(OperationsSql.NOT_DUE)), 0, 15_000L, 20_000L, 15_000L, "ma", 20),
                new Query(
                        sql.deliveries(List.of(OperationsSql.HANDLER)), 2, 15_000L, 20_000L, 15_000L, "", "mail", 51));
    }

    private static List<String> plan(RealDatabase server, Dialect dialect, Query query, String... columns)
            throws SQLException {
        RelayConnection relay = RelayConnection.open(() -> connect(server), dialect);
        try {
            return new Jdbc(relay.connection(), dialect)
                    .list(
                            "EXPLAIN " + (dialect == Dialect.MYSQL ? "FORMAT=TRADITIONAL " : "") + query.statement,
                            row -> {
                                List<String> values = new ArrayList<>();
                                for (String column : columns) {
                                    values.add(row.getString(column));
                                }
                                return String.join(" ", values);
                            },
                            query.parameters);
        } finally {
            relay.close();
        }
    }

    private static void fill(RealDatabase server, Dialect dialect) throws SQLException {
        new Schema(() -> connect(server), dialect, PREFIX).create();
        try (Connection connection = connect(server)) {
            Jdbc jdbc = new Jdbc(connection, dialect);
            String id = dialect == Dialect.POSTGRESQL
                    ? "CAST(MD5(CAST(n AS text)) AS uuid)"
                    : "UNHEX(SUBSTR(SHA2(n, 256), 1, 32))";
            String numbers = "(SELECT a.slot * 20 + b.shard + 1 AS n FROM outbox_lock a JOIN outbox_shard b"
                    + " ON b.shard < 20 AND a.slot < " + ROWS / 20 + ") numbers";
            jdbc.update(
                    "INSERT INTO outbox_message (seq, id, shard, lane, status, type, payload, payload_size) SELECT n, "
                            + id + ", MOD(n, 64), MOD(n, 640), CASE WHEN n > " + FIRST_WAITING
                            + " THEN 3 ELSE 0 END, 'order.placed', '" + "x".repeat(200) + "', 200 FROM " + numbers);
            for (String handler : List.of("mail", "ship")) {
                jdbc.update(
                        "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state)"
                                + " SELECT " + id + ", ?, 'g', n, MOD(n, 640), MOD(n, 64), 0 FROM " + numbers
                                + " WHERE n > " + FIRST_WAITING,
                        handler);
            }
            try (Statement statement = connection.createStatement()) {
                for (String table : List.of("outbox_message", "outbox_delivery")) {
                    statement.execute((dialect.isMySqlFamily() ? "ANALYZE TABLE " : "ANALYZE ") + table);
                }
            }
        }
    }

    private static Connection connect(RealDatabase server) throws SQLException {
        return DriverManager.getConnection(server.url(), server.user(), server.password());
    }
}
