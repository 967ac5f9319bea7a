package io.outboxed.internal.retention;

import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.SqlSupplier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Deletes rows that are older than their retention. Each batch is one short transaction, under a lock that only
 * cleanups take: relays and operators may do anything meanwhile. Thread-safe.
 *
 * <p>All methods need a connection in auto-commit mode, best one of {@code RelayConnection}: READ COMMITTED, with
 * bounded waits. The database's clock decides what is old.
 */
public final class Cleanup {
    /** A dry run and {@link #left} count no further. */
    public static final int MAX_COUNTED = 100_000;
    /** Batches take 1/SHARE of the time: with a tenth, a relay that kept all processors busy lost 9 to 13 % of its rate. */
    public static final int SHARE = 30;

    private final Dialect dialect;
    private final RetentionSql sql;
    private final CleanupLock lock;

    public Cleanup(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.sql = new RetentionSql(dialect, prefix);
        this.lock = new CleanupLock(sql);
    }

    /** @return for how long to leave the time to others after a batch that took this long */
    public static Duration pauseAfter(Duration batch) {
        return batch.multipliedBy(SHARE - 1);
    }

    /** Counts what a cleanup would delete, up to {@link #MAX_COUNTED} rows of each table; changes nothing. */
    public Map<AgedTable, Long> dryRun(Connection connection, RetentionPolicy policy) throws SQLException {
        Jdbc jdbc = jdbc(connection);
        Map<AgedTable, Long> counts = new EnumMap<>(AgedTable.class);
        for (AgedTable table : AgedTable.values()) {
            Duration age = policy.ages().get(table);
            if (age != null) {
                long until = clock(jdbc) - micros(age);
                counts.put(
                        table, jdbc.number(sql.count(table), until, MAX_COUNTED).orElse(0));
            }
        }
        return counts;
    }

    /** Begins a pass of batches. Changes nothing. */
    public CleanupPass begin(Connection connection, AgedTable table, Duration age) throws SQLException {
        return CleanupPass.begin(table, clock(jdbc(connection)) - micros(age));
    }

    /**
     * Deletes one batch. It begins where the last one ended: rows that were deleted, but not purged yet, are not read
     * again.
     */
    public CleanupPass next(Connection connection, CleanupPass pass, int batchSize) throws SQLException {
        return next(connection, pass, batchSize, (jdbc, after) -> {});
    }

    /**
     * Deletes one batch, as without a recorder, and records it.
     *
     * @param recorder called if the batch has deleted something, in its transaction
     */
    public CleanupPass next(Connection connection, CleanupPass pass, int batchSize, BatchRecorder<CleanupPass> recorder)
            throws SQLException {
        return orTheSameAgain(
                connection,
                pass,
                () -> lock.transact(jdbc(connection), jdbc -> {
                    CleanupPass after = batch(jdbc, pass, batchSize);
                    if (after.deleted() > pass.deleted()) {
                        recorder.record(jdbc, after);
                    }
                    return after;
                }));
    }

    /**
     * Counts what a pass that is finished has left because others hold it, up to {@link #MAX_COUNTED} rows. What has
     * become old during the pass is not counted.
     */
    public long left(Connection connection, CleanupPass pass) throws SQLException {
        return jdbc(connection)
                .number(sql.count(pass.table()), pass.until(), MAX_COUNTED)
                .orElse(0);
    }

    /** A deadlock leaves nothing of the batch, so it is made again. */
    private static CleanupPass orTheSameAgain(Connection connection, CleanupPass pass, SqlSupplier<CleanupPass> batch)
            throws SQLException {
        try {
            return batch.get();
        } catch (SQLException e) {
            if (SqlFailure.isRolledBack(e) && connection.getAutoCommit()) {
                return pass;
            }
            throw e;
        }
    }

    private CleanupPass batch(Jdbc jdbc, CleanupPass pass, int batchSize) throws SQLException {
        AgedTable table = pass.table();
        OptionalLong boundary = jdbc.number(sql.boundary(table), pass.from(), pass.until(), batchSize - 1);
        long last = boundary.orElse(pass.until() - 1);
        int rows = delete(jdbc, sql.delete(table), sql.deleted(pass.from(), last, batchSize));
        // others hold rows of this batch, or have deleted all: the next pass reads it again
        long from = rows == 0 ? last + 1 : last;
        return pass.next(from, rows, boundary.isEmpty());
    }

    /**
     * A row that is held for long, as by a transaction in doubt, leaves its batch to the next pass and not all that
     * comes behind it. PostgreSQL skips such rows; its transactions end with the first error.
     */
    private int delete(Jdbc jdbc, String delete, Object[] parameters) throws SQLException {
        try {
            return jdbc.update(delete, parameters);
        } catch (SQLException e) {
            if (dialect == Dialect.POSTGRESQL || !SqlFailure.isLocked(e)) {
                throw e;
            }
            return 0;
        }
    }

    private static long micros(Duration age) {
        return TimeUnit.MICROSECONDS.convert(age);
    }

    private long clock(Jdbc jdbc) throws SQLException {
        return jdbc.number(sql.clock).orElseThrow();
    }

    private Jdbc jdbc(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalStateException("the cleanup needs a connection in auto-commit mode: all batches would"
                    + " otherwise be one long transaction");
        }
        return new Jdbc(connection, dialect);
    }
}
