package io.outboxed.internal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.partitions.Period;
import io.outboxed.internal.schema.Schema;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A cleanup with nothing to do reads no rows: each statement follows the index by time, also through partitions, and
 * past old rows that are kept.
 */
class RetentionPlansTest {
    private static final String PREFIX = "outbox_";
    private static final int ROWS = 5_000;
    /** Only dead letters that block are older. */
    private static final Duration KEPT_AGE = Duration.ofHours(36);

    @Test
    void on_postgresql_every_statement_follows_the_index_by_time() throws Exception {
        try (RealPostgres server = RealPostgres.start()) {
            RelayConnection relay = filled(server, Dialect.POSTGRESQL);
            try {
                Jdbc jdbc = new Jdbc(relay.connection(), Dialect.POSTGRESQL);
                for (AgedTable table : AgedTable.values()) {
                    for (Query query : statements(Dialect.POSTGRESQL, table)) {
                        String plan = String.join(
                                "\n",
                                jdbc.list("EXPLAIN " + query.statement, row -> row.getString(1), query.parameters));
                        assertThat(plan)
                                .as(query.statement)
                                .contains("Scan using " + index(table))
                                .containsPattern("Index Cond: \\(+[^\\n]*" + table.time())
                                .doesNotContain("Seq Scan")
                                .doesNotContain("Sort  (");
                    }
                }
            } finally {
                relay.close();
            }
        }
    }

    @Test
    void on_postgresql_a_batch_locks_only_the_partitions_of_its_time() throws Exception {
        try (RealPostgres server = RealPostgres.start()) {
            Duration hour = Duration.ofHours(1);
            new Schema(() -> connect(server), Dialect.POSTGRESQL, PREFIX).create();
            try (Connection connection = connect(server)) {
                OldRows rows = new OldRows(connection, Dialect.POSTGRESQL, PREFIX);
                new PartitionMaintainer(
                                Dialect.POSTGRESQL,
                                PREFIX,
                                PartitionSettings.of(Period.HOUR, hour.multipliedBy(12), Optional.empty()))
                        .run(connection);
                rows.history(rows.ago(hour.multipliedBy(-2)), 5);
                RelayConnection relay = RelayConnection.open(() -> connect(server), Dialect.POSTGRESQL);
                try {
                    relay.connection().setAutoCommit(false);
                    Jdbc jdbc = new Jdbc(relay.connection(), Dialect.POSTGRESQL);
                    RetentionSql sql = new RetentionSql(Dialect.POSTGRESQL, PREFIX);
                    long time = rows.ago(hour.multipliedBy(-2));
                    int deleted = jdbc.update(
                            sql.delete(AgedTable.HISTORY),
                            sql.deleted(time - TimeUnit.SECONDS.toMicros(60), time, 1_000));

                    assertThat(deleted).isEqualTo(5);
                    assertThat(jdbc.list(LOCKED_PARTITIONS, row -> row.getString(1)))
                            .as("its time may begin in one and end in the next")
                            .hasSizeBetween(1, 2);
                    relay.connection().rollback();
                } finally {
                    relay.close();
                }
            }
        }
    }

    private static final String LOCKED_PARTITIONS = "SELECT DISTINCT c.relname FROM pg_locks l"
            + " JOIN pg_class c ON c.oid = l.relation WHERE l.pid = pg_backend_pid()"
            + " AND c.relname LIKE 'outbox\\_history\\_p%' AND c.relkind = 'r'";

    @Test
    void on_mysql_every_statement_follows_the_index_by_time() throws Exception {
        try (RealMySql server = RealMySql.start()) {
            assertEachFollowsTheIndex(server, Dialect.MYSQL);
        }
    }

    static void assertEachFollowsTheIndex(RealDatabase server, Dialect mySqlFamily) throws SQLException {
        RelayConnection relay = filled(server, mySqlFamily);
        try {
            Jdbc jdbc = new Jdbc(relay.connection(), mySqlFamily);
            for (AgedTable table : AgedTable.values()) {
                for (Query query : statements(mySqlFamily, table)) {
                    List<String> plan = jdbc.list(
                            "EXPLAIN " + (mySqlFamily == Dialect.MYSQL ? "FORMAT=TRADITIONAL " : "") + query.statement,
                            row -> row.getString("table") + " " + row.getString("type") + " " + row.getString("key")
                                    + " " + row.getString("Extra"),
                            query.parameters);
                    assertThat(plan)
                            .as(query.statement)
                            .filteredOn(line -> line.startsWith(PREFIX))
                            .isNotEmpty()
                            .allMatch(line -> line.startsWith(PREFIX + table.suffix() + " range " + index(table)))
                            .noneMatch(line -> line.contains("filesort") && !sortsABatch(mySqlFamily, query));
                }
            }
        } finally {
            relay.close();
        }
    }

    /** The beginning of its name. Old dead letters that block are kept, and there may be any number. */
    private static String index(AgedTable table) {
        return PREFIX + table.suffix() + (table == AgedTable.DEAD_LETTERS ? "_blocking" : "_");
    }

    /** MariaDB sorts the rows of one batch, which its boundary has limited. */
    private static boolean sortsABatch(Dialect dialect, Query query) {
        return dialect == Dialect.MARIADB && query.statement.startsWith("DELETE");
    }

    private record Query(String statement, Object... parameters) {}

    private static List<Query> statements(Dialect dialect, AgedTable table) {
        RetentionSql sql = new RetentionSql(dialect, PREFIX);
        long until = table == AgedTable.DEAD_LETTERS
                ? TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) - KEPT_AGE.toNanos() / 1_000
                : 1_000;
        return List.of(
                new Query(sql.boundary(table), 0L, until, 999),
                new Query(sql.delete(table), sql.deleted(0L, until, 1_000)),
                new Query(sql.count(table), until, 1_000));
    }

    private static RelayConnection filled(RealDatabase server, Dialect dialect) throws SQLException {
        new Schema(() -> connect(server), dialect, PREFIX).create();
        try (Connection connection = connect(server)) {
            PartitionSettings settings =
                    PartitionSettings.of(Period.DAY, Duration.ofDays(2), Optional.of(Duration.ofDays(7)));
            new PartitionMaintainer(dialect, PREFIX, settings).run(connection);
            OldRows rows = new OldRows(connection, dialect, PREFIX);
            connection.setAutoCommit(false);
            rows.history(rows.ago(Duration.ofDays(1)), ROWS);
            rows.history(rows.ago(Duration.ZERO), ROWS);
            rows.inbox(rows.ago(Duration.ofDays(1)), ROWS);
            rows.deadLetters(rows.ago(Duration.ofDays(1)), 0, ROWS);
            rows.deadLetters(rows.ago(Duration.ofDays(2)), 1, ROWS);
            rows.audit(rows.ago(Duration.ofDays(1)), ROWS);
            rows.operations(rows.ago(Duration.ofDays(1)), ROWS);
            connection.commit();
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                for (AgedTable table : AgedTable.values()) {
                    statement.execute(
                            (dialect.isMySqlFamily() ? "ANALYZE TABLE " : "ANALYZE ") + PREFIX + table.suffix());
                }
            }
        }
        return RelayConnection.open(() -> connect(server), dialect);
    }

    private static Connection connect(RealDatabase server) throws SQLException {
        return DriverManager.getConnection(server.url(), server.user(), server.password());
    }
}
