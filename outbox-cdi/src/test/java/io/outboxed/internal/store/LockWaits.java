package io.outboxed.internal.store;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;

/** How many sessions wait for a lock that another one has. */
final class LockWaits {
    private LockWaits() {}

    static long count(Connection connection, Dialect dialect) {
        Jdbc jdbc = new Jdbc(connection, dialect);
        try {
            return switch (dialect) {
                case POSTGRESQL ->
                    number(
                            jdbc,
                            "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0");
                // an insert that meets the key of another transaction is repeated, and has no blocker
                case H2 ->
                    number(
                            jdbc,
                            "SELECT COUNT(*) AS n FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL"
                                    + " OR SESSION_ID <> SESSION_ID() AND EXECUTING_STATEMENT LIKE 'INSERT%'");
                case MYSQL, MARIADB -> rowLocks(jdbc) + namedLocks(jdbc);
            };
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The table innodb_trx gives old answers to whoever asks it more often than every 100 ms. */
    private static long rowLocks(Jdbc jdbc) throws SQLException {
        return jdbc.first("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'", row -> row.getLong("Value"))
                .orElseThrow();
    }

    private static long namedLocks(Jdbc jdbc) throws SQLException {
        return number(jdbc, "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE state = 'User lock'");
    }

    private static long number(Jdbc jdbc, String query) throws SQLException {
        return jdbc.first(query, row -> row.getLong("n")).orElseThrow();
    }
}
