package io.outboxed.internal.operations.check;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;

/** Queries of the check: privileges and settings. None changes anything. */
final class CheckSql extends SqlText {
    CheckSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /**
     * A statement that changes no row, because a missing privilege is reported first. Not so on PostgreSQL if the
     * statement has a value for a column that the database computes, so one column is named there. MySQL and MariaDB
     * would refuse a row without the others.
     */
    String touch(Privilege privilege, String table, String column) {
        return of(
                switch (privilege) {
                    case SELECT -> "SELECT " + column + " FROM outbox_" + table + " WHERE 1 = 0";
                    case INSERT ->
                        "INSERT INTO outbox_" + table
                                + (dialect().isMySqlFamily() ? " SELECT *" : " (" + column + ") SELECT " + column)
                                + " FROM outbox_" + table + " WHERE 1 = 0";
                    case UPDATE -> "UPDATE outbox_" + table + " SET " + column + " = " + column + " WHERE 1 = 0";
                    case DELETE -> "DELETE FROM outbox_" + table + " WHERE 1 = 0";
                });
    }

    String preparedTransactions() {
        return dialect() == Dialect.POSTGRESQL
                ? "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"
                : "XA RECOVER";
    }

    /** name, setting */
    String settings() {
        return switch (dialect()) {
            case MYSQL, MARIADB ->
                "SELECT 'read_only' AS name, CAST(@@global.read_only AS CHAR) AS setting"
                        + " UNION ALL SELECT 'log_bin', CAST(@@global.log_bin AS CHAR)"
                        + " UNION ALL SELECT 'binlog_format', @@session.binlog_format"
                        + " UNION ALL SELECT 'sync_binlog', CAST(@@global.sync_binlog AS CHAR)"
                        + " UNION ALL SELECT 'innodb_flush_log_at_trx_commit',"
                        + " CAST(@@global.innodb_flush_log_at_trx_commit AS CHAR)"
                        + " UNION ALL SELECT 'max_allowed_packet', CAST(@@session.max_allowed_packet AS CHAR)";
            case POSTGRESQL ->
                "SELECT name, setting FROM pg_settings WHERE name IN ('transaction_read_only', 'fsync',"
                        + " 'synchronous_commit', 'autovacuum')";
            case H2 -> "SELECT 'read_only' AS name, CASE WHEN READONLY() THEN '1' ELSE '0' END AS setting";
        };
    }
}
