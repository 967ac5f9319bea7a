package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.retention.OldRows;
import io.outboxed.internal.schema.Schema;
import io.outboxed.servers.database.RealDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL of a node in the middle of its own cleanup. */
abstract class KilledCleanupContract {
    /** No multiple of the batch: a cleanup that took the young ones too would do so with the last of these. */
    private static final int OLD = 203;

    private static final int YOUNG = 20;
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(3);

    @TempDir
    Path directory;

    abstract RealDatabase start();

    abstract Dialect dialect();

    @Test
    void a_node_that_is_killed_in_its_cleanup_has_deleted_only_old_rows_and_the_next_one_goes_on() throws Exception {
        try (RealDatabase database = start();
                Connection connection = connect(database)) {
            new Schema(() -> connect(database), dialect(), "outbox_").create();
            OldRows rows = new OldRows(connection, dialect(), "outbox_");
            OneTransaction.run(new Jdbc(connection, dialect()), jdbc -> {
                for (int i = 0; i < OLD; i++) {
                    rows.history(rows.ago(Duration.ofDays(100).plusSeconds(i)), 1);
                }
                rows.history(rows.ago(Duration.ofDays(1)), YOUNG);
                rows.inbox(rows.ago(Duration.ofDays(100)), 1);
                return null;
            });
            String all = "SELECT COUNT(*) AS found FROM outbox_history";
            String next = "SELECT COUNT(*) AS found FROM outbox_inbox";
            String young = all + " WHERE processed_at > " + rows.ago(Duration.ofDays(90));

            killOnce(database, CleaningNode.BY_ROWS, () -> count(connection, all) < OLD + YOUNG - 25);
            assertThat(count(connection, all)).as("it was in the middle").isGreaterThan(YOUNG);
            assertThat(count(connection, young)).isEqualTo(YOUNG);

            killOnce(database, CleaningNode.BY_ROWS, () -> count(connection, all) <= YOUNG);
            assertThat(count(connection, next))
                    .as("each table has had its turn")
                    .isZero();
            assertThat(count(connection, young)).isEqualTo(YOUNG);
            assertThat(count(connection, "SELECT COUNT(*) AS found FROM outbox_audit"))
                    .as("no operator has done it")
                    .isZero();
        }
    }

    @Test
    void a_node_that_is_killed_while_it_makes_partitions_keeps_all_rows_and_the_next_one_goes_on() throws Exception {
        try (RealDatabase database = start();
                Connection connection = connect(database)) {
            new Schema(() -> connect(database), dialect(), "outbox_").create();
            OldRows rows = new OldRows(connection, dialect(), "outbox_");
            OneTransaction.run(new Jdbc(connection, dialect()), jdbc -> {
                rows.history(rows.ago(Duration.ZERO), YOUNG);
                rows.history(rows.ago(Duration.ofDays(3)), YOUNG);
                return null;
            });
            String all = "SELECT COUNT(*) AS found FROM outbox_history";

            killOnce(database, CleaningNode.BY_PARTITIONS, () -> count(connection, partitions()) > 2);
            assertThat(count(connection, partitions()))
                    .as("it was in the middle")
                    .isLessThan(CleaningNode.DAYS_AHEAD);
            assertThat(count(connection, all)).isEqualTo(2 * YOUNG);

            killOnce(
                    database,
                    CleaningNode.BY_PARTITIONS,
                    () -> count(connection, partitions()) >= CleaningNode.DAYS_AHEAD);
            assertThat(count(connection, all)).isEqualTo(2 * YOUNG);
        }
    }

    private String partitions() {
        return dialect().isMySqlFamily()
                ? "SELECT COUNT(*) AS found FROM information_schema.partitions WHERE table_schema = DATABASE()"
                        + " AND table_name = 'outbox_history' AND partition_name LIKE 'p2%'"
                : "SELECT COUNT(*) AS found FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
                        + " WHERE i.inhparent = 'outbox_history'::regclass AND c.relname LIKE 'outbox\\_history\\_p2%'";
    }

    private void killOnce(RealDatabase database, String how, Callable<Boolean> reached) throws Exception {
        Path output = directory.resolve("node");
        Process node = CleaningNode.start(database, dialect(), how, output);
        try {
            long deadline = System.nanoTime() + PATIENCE;
            while (!reached.call()) {
                assertThat(node.waitFor(5, TimeUnit.MILLISECONDS))
                        .as(() -> "it ended before it was killed: " + read(output))
                        .isFalse();
                assertThat(System.nanoTime()).as(() -> read(output)).isLessThan(deadline);
            }
        } finally {
            node.destroyForcibly().waitFor();
        }
    }

    private static String read(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Connection connect(RealDatabase database) throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    private int count(Connection connection, String query) throws SQLException {
        return new Jdbc(connection, dialect())
                .first(query, row -> row.getInt("found"))
                .orElseThrow();
    }
}
