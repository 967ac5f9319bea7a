package io.outboxed.internal.retention;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Batch after batch, until nothing old is left. */
public final class WholeCleanup {
    private WholeCleanup() {}

    public static Map<AgedTable, Long> run(Cleanup cleanup, Connection connection, RetentionPolicy policy)
            throws SQLException {
        return run(cleanup, connection, policy, batch -> {});
    }

    /** @param between is told how long each batch took, except the last one of a table */
    static Map<AgedTable, Long> run(
            Cleanup cleanup, Connection connection, RetentionPolicy policy, Consumer<Duration> between)
            throws SQLException {
        Map<AgedTable, Long> deleted = new EnumMap<>(AgedTable.class);
        for (AgedTable table : AgedTable.values()) {
            Duration age = policy.ages().get(table);
            if (age == null) {
                continue;
            }
            CleanupPass pass = cleanup.begin(connection, table, age);
            while (!pass.finished()) {
                long startedAt = System.nanoTime();
                pass = cleanup.next(connection, pass, policy.batchSize());
                if (!pass.finished()) {
                    between.accept(Duration.ofNanos(System.nanoTime() - startedAt));
                }
            }
            deleted.put(table, pass.deleted());
        }
        return deleted;
    }
}
