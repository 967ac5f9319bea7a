package io.outboxed.internal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionRun;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.partitions.Period;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.schema.Schema;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A source that logs statements where it can ({@code binlog_format=MIXED}), and its replica. */
abstract class ReplicaContract {
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    Path directory;

    abstract RealDatabase start(ServerOptions options);

    abstract Dialect dialect();

    /** Creates the account {@code replica}. */
    abstract String createAccount();

    @Test
    void a_replica_keeps_the_rows_that_its_source_keeps() throws Exception {
        try (RealDatabase source =
                        start(options("source", 1, createAccount(), "GRANT REPLICATION SLAVE ON *.* TO replica@'%'"));
                RealDatabase replica = start(options("replica", 2, follow(source), "START SLAVE"));
                Connection connection = connect(source);
                Connection copy = connect(replica)) {
            new Schema(() -> connect(source), dialect(), "outbox_").create();
            OldRows rows = new OldRows(connection, dialect(), "outbox_");
            for (int day = 20; day > 0; day--) {
                rows.history(rows.ago(DAY.multipliedBy(day)), 50);
                rows.inbox(rows.ago(DAY.multipliedBy(day)), 50);
                rows.deadLetters(rows.ago(DAY.multipliedBy(day)), 0, 50);
            }
            RetentionPolicy policy = new RetentionPolicy(Map.of(AgedTable.HISTORY, DAY.multipliedBy(10)), 7)
                    .with(AgedTable.INBOX, DAY.multipliedBy(10))
                    .with(AgedTable.DEAD_LETTERS, DAY.multipliedBy(10));

            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> addOldRows(source));
            RelayConnection relay = RelayConnection.open(() -> connect(source), dialect());
            try {
                WholeCleanup.run(new Cleanup(dialect(), "outbox_"), relay.connection(), policy);
            } finally {
                relay.close();
            }
            writer.join();
            PartitionSettings settings =
                    PartitionSettings.of(Period.DAY, DAY.multipliedBy(3), Optional.of(DAY.multipliedBy(5)));
            assertThat(new PartitionMaintainer(dialect(), "outbox_", settings).run(connection))
                    .isInstanceOf(PartitionRun.Done.class);
            jdbc(connection).update("INSERT INTO outbox_meta (name, setting) VALUES ('last', 1)");

            Await.until(
                    "the replica has it all", Duration.ofMinutes(1), () -> hasLast(copy), () -> "see " + replica.log());
            for (AgedTable table : List.of(AgedTable.HISTORY, AgedTable.INBOX, AgedTable.DEAD_LETTERS)) {
                List<String> kept = rowsOf(connection, table);
                assertThat(kept).as(table.suffix()).hasSizeGreaterThan(100).hasSizeLessThan(1000);
                assertThat(rowsOf(copy, table)).as(table.suffix()).isEqualTo(kept);
            }
            assertThat(partitions(copy)).isEqualTo(partitions(connection)).hasSizeGreaterThan(3);
        }
    }

    /** Of a time that the cleanup passes, so that its batches end between them. */
    private void addOldRows(RealDatabase source) {
        try (Connection connection = connect(source)) {
            OldRows rows = new OldRows(connection, dialect(), "outbox_");
            for (int i = 0; i < 100; i++) {
                rows.history(rows.ago(DAY.multipliedBy(11)), 3);
                rows.inbox(rows.ago(DAY.multipliedBy(11)), 3);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean hasLast(Connection replica) {
        try {
            return jdbc(replica).exists("SELECT 1 FROM outbox_meta WHERE name = 'last'");
        } catch (SQLException notYetCreated) {
            return false;
        }
    }

    private List<String> rowsOf(Connection connection, AgedTable table) throws SQLException {
        return jdbc(connection)
                .list(
                        "SELECT CONCAT_WS(' ', " + table.time() + ", HEX("
                                + (table == AgedTable.HISTORY ? "id" : "message_id") + ")) AS found FROM outbox_"
                                + table.suffix() + " ORDER BY found",
                        row -> row.getString("found"));
    }

    private List<String> partitions(Connection connection) throws SQLException {
        return jdbc(connection)
                .list(
                        "SELECT CONCAT(partition_name, ' ', partition_description) AS found FROM"
                                + " information_schema.partitions WHERE table_schema = DATABASE() AND table_name ="
                                + " 'outbox_history' ORDER BY partition_ordinal_position",
                        row -> row.getString("found"));
    }

    private String follow(RealDatabase source) {
        return "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=" + source.port()
                + ", MASTER_USER='replica', MASTER_PASSWORD='replica', MASTER_LOG_FILE='binlog.000001', MASTER_LOG_POS=4"
                + withoutTls();
    }

    private ServerOptions options(String name, int id, String... statements) throws IOException {
        Path file = directory.resolve(name + ".sql");
        Files.writeString(file, prepare() + String.join(";\n", statements) + ";\n");
        return ServerOptions.temporary()
                .with("--init-file=" + file)
                .with("--server-id=" + id)
                .with("--log-bin=binlog")
                .with("--binlog-format=MIXED");
    }

    /** What the server would execute at its start without a file of ours. */
    String prepare() {
        return "";
    }

    /** For the source, which has no certificate. */
    String withoutTls() {
        return "";
    }

    private Jdbc jdbc(Connection connection) {
        return new Jdbc(connection, dialect());
    }

    private static Connection connect(RealDatabase database) throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }
}
