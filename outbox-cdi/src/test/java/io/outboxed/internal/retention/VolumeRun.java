package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.partitions.Period;
import io.outboxed.internal.schema.Schema;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * No test but a measurement, which prints its times: the cleanup and the partitions of a long history and of many dead
 * letters, with payloads of 400 bytes and ten days of rows. {@code mvn test -Dtest=VolumeRun -Dvolume.rows=1000000
 * -Dvolume.dead=1000000}.
 *
 * <p>With {@code -Dvolume.directory}, it only adds the rows that are missing in a database there, also of what waits and
 * of what operators have changed, and leaves it to {@code AdminVolumeRun} of {@code outbox-war}, which measures pages.
 */
class VolumeRun {
    private static final String PREFIX = "outbox_";
    private static final int ROWS = Integer.getInteger("volume.rows", 1_000_000);
    private static final int DEAD = Integer.getInteger("volume.dead", Math.min(ROWS, 1_000_000));
    private static final int WAITING = Integer.getInteger("volume.waiting", 1_000_000);
    private static final String DIRECTORY = System.getProperty("volume.directory");
    private static final int DAYS = VolumeRows.DAYS;
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void mysql() throws Exception {
        try (RealMySql server =
                RealMySql.start(options().with("--innodb-buffer-pool-size=1G").with("--innodb-log-file-size=512M"))) {
            measure(server, Dialect.MYSQL);
        }
    }

    @Test
    void mariadb() throws Exception {
        try (RealMariaDb server =
                RealMariaDb.start(options().with("--innodb-buffer-pool-size=1G").with("--innodb-log-file-size=512M"))) {
            measure(server, Dialect.MARIADB);
        }
    }

    @Test
    void postgresql() throws Exception {
        try (RealPostgres server = RealPostgres.start(
                options().with("-c").with("shared_buffers=512MB").with("-c").with("max_wal_size=2GB"))) {
            measure(server, Dialect.POSTGRESQL);
        }
    }

    private static ServerOptions options() {
        return DIRECTORY == null ? ServerOptions.temporary() : ServerOptions.in(Path.of(DIRECTORY));
    }

    private static void measure(RealDatabase server, Dialect dialect) throws Exception {
        new Schema(() -> connect(server), dialect, PREFIX).create();
        if (DIRECTORY == null) {
            measureMaintenance(server, dialect);
        } else {
            fill(server, dialect);
        }
    }

    private static void fill(RealDatabase server, Dialect dialect) throws Exception {
        try (Connection connection = connect(server)) {
            VolumeRows rows = new VolumeRows(connection, dialect);
            time(dialect, "fill up to " + ROWS + " processed messages", () -> {
                rows.history(ROWS);
                return rows.count("history");
            });
            if (rows.count("dead") == 0) {
                time(dialect, "insert what waits, dead letters and changes", () -> {
                    rows.deadLetters(DEAD);
                    rows.changes(DEAD);
                    new VolumeBacklog(rows).fill(WAITING);
                    return rows.count("message") + " messages, " + rows.count("delivery") + " deliveries, "
                            + rows.count("dead") + " dead letters";
                });
            }
        }
    }

    private static void measureMaintenance(RealDatabase server, Dialect dialect) throws Exception {
        try (Connection connection = connect(server)) {
            VolumeRows rows = new VolumeRows(connection, dialect);
            time(dialect, "insert " + ROWS + " processed messages", () -> {
                rows.history(ROWS);
                return "";
            });
            time(dialect, "insert " + DEAD + " dead letters", () -> {
                rows.deadLetters(DEAD);
                return "";
            });
            RelayConnection relay = RelayConnection.open(() -> connect(server), dialect);
            Cleanup cleanup = new Cleanup(dialect, PREFIX);
            time(
                    dialect,
                    "cleanup with nothing to delete",
                    () -> WholeCleanup.run(
                            cleanup, relay.connection(), older(AgedTable.HISTORY, DAY.multipliedBy(DAYS + 1))));
            time(
                    dialect,
                    "cleanup of a tenth, without pauses",
                    () -> WholeCleanup.run(
                            cleanup, relay.connection(), older(AgedTable.HISTORY, DAY.multipliedBy(DAYS - 1))));
            time(
                    dialect,
                    "cleanup of dead letters with nothing to delete",
                    () -> WholeCleanup.run(
                            cleanup, relay.connection(), older(AgedTable.DEAD_LETTERS, DAY.multipliedBy(DAYS + 1))));
            time(
                    dialect,
                    "cleanup of a tenth of the dead letters, without pauses",
                    () -> WholeCleanup.run(
                            cleanup, relay.connection(), older(AgedTable.DEAD_LETTERS, DAY.multipliedBy(DAYS - 1))));
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
                execute(connection, dialect, addPartition(dialect, prefix, day));
            }
            execute(connection, dialect, "INSERT INTO parted_history SELECT * FROM outbox_history");
            PartitionSettings keep = PartitionSettings.of(Period.DAY, DAY.multipliedBy(30), Optional.empty())
                    .withAnyTail();
            time(
                    dialect,
                    "create 30 partitions beside 10 full ones",
                    () -> new PartitionMaintainer(dialect, prefix, keep).run(connection));
            PartitionSettings drop =
                    PartitionSettings.of(Period.DAY, DAY.multipliedBy(30), Optional.of(DAY.multipliedBy(DAYS - 3)));
            time(
                    dialect,
                    "drop three partitions with a tenth of the rows each",
                    () -> new PartitionMaintainer(dialect, prefix, drop).run(connection));
        }
    }

    private static String addPartition(Dialect dialect, String prefix, int daysAgo) {
        long to = VolumeRows.micros() - DAY.multipliedBy(daysAgo - 1).toNanos() / 1_000;
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

    private static RetentionPolicy older(AgedTable table, Duration age) {
        return new RetentionPolicy(Map.of(table, age), RetentionPolicy.DEFAULT_BATCH_SIZE);
    }

    private static void execute(Connection connection, Dialect dialect, String sql) throws SQLException {
        new VolumeRows(connection, dialect).execute(sql);
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
