package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Shape;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.IntToLongFunction;

/**
 * Messages in the history that were handled long ago, and dead letters of that time. Their ids are not those of a backlog:
 * a message that has a dead letter is not kept when it is handled.
 */
final class OldHistory {
    private static final int AT_ONCE = 100_000;
    private static final int DEAD_LETTERS = 1_000_000;

    private OldHistory() {}

    static void fill(Stage stage) {
        fill(stage, done -> done);
    }

    /** How many rows each of so many parts gets, if they are written as {@link #fill} does. */
    static int rowsOf(Stage stage, int parts) {
        return Math.max(1, stage.options().history() / AT_ONCE / parts) * AT_ONCE;
    }

    /** @param processedAt of the first of the rows that follow so many others: a microsecond before the next one */
    static void fill(Stage stage, IntToLongFunction processedAt) {
        int wanted = stage.options().history();
        Say.progress("filling the history with %,d messages", wanted);
        stage.backlog()
                .prepare(Shape.of(
                        Shape.TICK, Math.min(AT_ONCE, wanted), stage.options().aggregates()));
        for (int done = 0; done < wanted; done += AT_ONCE) {
            stage.database()
                    .execute("INSERT INTO outbox_history (id, processed_at, seq, shard, lane, aggregate_type,"
                            + " aggregate_id, type, payload, payload_size, delay_micros, registry_version)"
                            + " SELECT " + id(stage, done) + ", " + processedAt.applyAsLong(done)
                            + " + n, n, shard, lane, 'bench', aggregate_id, type, payload,"
                            + " payload_size, 0, 0 FROM bench_rows");
        }
    }

    /** A million dead letters that block nothing, from the same rows. */
    static void fillDeadLetters(Stage stage) {
        int wanted = Math.min(DEAD_LETTERS, stage.options().history());
        Say.progress("filling in %,d dead letters", wanted);
        for (int done = 0; done < wanted; done += AT_ONCE) {
            stage.database()
                    .execute("INSERT INTO outbox_dead (message_id, handler, died_at, seq, shard, lane, aggregate_type,"
                            + " aggregate_id, type, payload, payload_size, attempts, registry_version, blocking, error,"
                            + " handler_group) SELECT " + id(stage, done) + ", 'Mailer" + done / AT_ONCE + "', "
                            + done
                            + " + n, n, shard, lane, 'bench', aggregate_id, type, payload, payload_size, 5, 0, 0,"
                            + " 'connection refused', 'Mailer' FROM bench_rows");
        }
    }

    /** In the order of time, as those that Outboxed makes. */
    private static String id(Stage stage, int done) {
        return stage.database().product().isMySqlFamily()
                ? "UNHEX(CONCAT('f', LPAD(HEX(" + done + " + n), 11, '0'), SUBSTRING(HEX(id), 13)))"
                : "CAST('f' || LPAD(TO_HEX(" + done + " + n), 11, '0')"
                        + " || SUBSTRING(REPLACE(CAST(id AS VARCHAR), '-', ''), 13) AS UUID)";
    }

    /** @throws IllegalStateException if handled messages were not kept: then nothing was measured */
    static void mustHaveGrownBy(Stage stage, long handled) {
        long kept = kept(stage);
        if (kept < handled) {
            throw new IllegalStateException(
                    "of " + handled + " messages that were handled, " + kept + " are in the history");
        }
    }

    private static long kept(Stage stage) {
        String later = "SELECT COUNT(*) FROM outbox_history WHERE processed_at > "
                + stage.options().history();
        try (Connection connection = stage.database().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(later)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("the history could not be counted", e);
        }
    }

    static void remove(Stage stage) {
        stage.database().execute("TRUNCATE TABLE outbox_history");
        stage.database().execute("TRUNCATE TABLE outbox_dead");
    }
}
