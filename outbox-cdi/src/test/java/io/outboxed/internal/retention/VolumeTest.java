package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
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
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * No test but a measurement, which prints its times: the cleanup and the partitions of a long history, with payloads of
 * 400 bytes and ten days of rows. {@code mvn test -Dtest=VolumeTest -Dvolume.rows=1000000}.
 */
@EnabledIfSystemProperty(named = "volume.rows", matches = "\\d+")
class VolumeTest {
    private static final String PREFIX = "outbox_";
    private static final int ROWS = Integer.getInteger("volume.rows", 0);
    private static final int DAYS = 10;
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void mysql() throws Exception {
        try (RealMySql server = RealMySql.start()) {
            measure(server, Dialect.MYSQL);
        }
    }

    @Test
    void postgresql() throws Exception {
        try (RealPostgres server = RealPostgres.start()) {
            measure(server, Dialect.POSTGRESQL);
        }
    }

    private static void measure(RealDatabase server, Dialect dialect) throws Exception {
        new Schema(() -> connect(server), dialect, PREFIX).create();
        try (Connection connection = connect(server)) {
            long startedAt = System.nanoTime();
            fill(connection, dialect);
            say(dialect, "insert " + ROWS + " rows", startedAt);
            RelayConnection relay = RelayConnection.open(() -> connect(server), dialect);
            Cleanup cleanup = new Cleanup(dialect, PREFIX);
            time(
                    dialect,
                    "cleanup with nothing to delete",
                    () -> cleanup.run(relay.connection(), older(DAY.multipliedBy(DAYS + 1)), batch -> {}));
            time(
                    dialect,
                    "cleanup of a tenth, without pauses",
                    () -> cleanup.run(relay.connection(), older(DAY.multipliedBy(DAYS - 1)), batch -> {}));
            relay.close();
            PartitionSettings all = PartitionSettings.of(Period.DAY, DAY.multipliedBy(30), Optional.empty())
                    .withAnyTail();
            time(
                    dialect,
                    "partition what is left",
                    () -> new PartitionMaintainer(dialect, PREFIX, all).run(connection));
        }
        measurePartitions(server, dialect);
    }

    /** Ten partitions with a tenth of the rows each, as they are when they were made in time. */
    private static void measurePartitions(RealDatabase server, Dialect dialect) throws Exception {
        String prefix = "parted_";
        new Schema(() -> connect(server), dialect, prefix).create();
        try (Connection connection = connect(server)) {
            for (int day = DAYS; day > 0; day--) {
                execute(connection, addPartition(dialect, prefix, day));
            }
            execute(connection, "INSERT INTO parted_history SELECT * FROM outbox_history");
            PartitionSettings keep = PartitionSettings.of(Period.DAY, DAY.multipliedBy(30), Optional.empty())
                    .withAnyTail();
            time(
                    dialect,
                    "create 30 partitions beside 10 full ones",
                    () -> new PartitionMaintainer(dialect, prefix, keep).run(connection));
            PartitionSettings drop =
                    PartitionSettings.of(Period.DAY, DAY.multipliedBy(30), Optional.of(DAY.multipliedBy(DAYS - 3)));
            time(dialect, "drop two partitions", () -> new PartitionMaintainer(dialect, prefix, drop).run(connection));
        }
    }

    private static String addPartition(Dialect dialect, String prefix, int daysAgo) {
        long to = micros() - DAY.multipliedBy(daysAgo - 1).toNanos() / 1_000;
        String name = "p" + (20000101 + DAYS - daysAgo);
        if (dialect.isMySqlFamily()) {
            return "ALTER TABLE " + prefix + "history REORGANIZE PARTITION pmax INTO (PARTITION " + name
                    + " VALUES LESS THAN (" + to + "), PARTITION pmax VALUES LESS THAN MAXVALUE)";
        }
        String from = daysAgo == DAYS ? "MINVALUE" : String.valueOf(lastEnd);
        lastEnd = to;
        return "CREATE TABLE " + prefix + "history_" + name + " PARTITION OF " + prefix + "history FOR VALUES FROM ("
                + from + ") TO (" + to + ")";
    }

    private static long lastEnd;

    private static long micros() {
        return System.currentTimeMillis() * 1_000;
    }

    private static RetentionPolicy older(Duration age) {
        return RetentionPolicy.keepAll().with(AgedTable.HISTORY, age);
    }

    private static void fill(Connection connection, Dialect dialect) throws SQLException {
        long span = DAY.multipliedBy(DAYS).toNanos() / 1_000;
        long first = micros() - span;
        String columns = "(id, processed_at, seq, shard, lane, type, payload, payload_size, delay_micros,"
                + " registry_version)";
        String rest = ", 7, 7, 'order.placed', '" + "x".repeat(400) + "', 400, 0, 0";
        int chunk = 10_000;
        for (int done = 0; done < ROWS; done += chunk) {
            String at = first + " + (" + done + " + n) * " + (span / ROWS);
            execute(
                    connection,
                    dialect == Dialect.POSTGRESQL
                            ? "INSERT INTO outbox_history " + columns + " SELECT gen_random_uuid(), " + at + ", n"
                                    + rest + " FROM generate_series(1, " + chunk + ") AS n"
                            : "INSERT INTO outbox_history " + columns + " SELECT UNHEX(REPLACE(UUID(), '-', '')), " + at
                                    + ", n" + rest + " FROM (SELECT a.slot * 10 + b.shard AS n FROM outbox_lock a"
                                    + " JOIN outbox_shard b ON b.shard < 10 AND a.slot < 1000) t");
        }
        execute(connection, (dialect.isMySqlFamily() ? "ANALYZE TABLE" : "ANALYZE") + " outbox_history");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** What is measured. */
    private interface Work {
        Object run() throws Exception;
    }

    private static void time(Dialect dialect, String what, Work work) throws Exception {
        long startedAt = System.nanoTime();
        Object result = work.run();
        String text = String.valueOf(result);
        say(dialect, what + " (" + text.substring(0, Math.min(60, text.length())) + ")", startedAt);
    }

    private static void say(Dialect dialect, String what, long startedAt) {
        System.out.println(dialect + ": " + what + ": " + (System.nanoTime() - startedAt) / 1_000_000 + " ms");
    }

    private static Connection connect(RealDatabase server) throws SQLException {
        return DriverManager.getConnection(server.url(), server.user(), server.password());
    }
}
