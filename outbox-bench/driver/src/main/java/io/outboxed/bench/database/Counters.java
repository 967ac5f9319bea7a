package io.outboxed.bench.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * The database server's counters since its start.
 *
 * @param written rows inserted, updated or deleted
 * @param read rows read
 * @param commits on MySQL COMMIT statements, on PostgreSQL transactions
 * @param statements sent by clients, only on MySQL
 */
public record Counters(long written, long read, long commits, long statements) {
    private static final Counters NONE = new Counters(0, 0, 0, 0);
    private static final String OF_MYSQL = "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_rows_inserted',"
            + " 'Innodb_rows_updated', 'Innodb_rows_deleted', 'Innodb_rows_read', 'Com_commit', 'Questions')";
    private static final String OF_POSTGRESQL = "SELECT tup_inserted + tup_updated + tup_deleted AS written,"
            + " tup_returned AS read_rows, xact_commit AS commits FROM pg_stat_database"
            + " WHERE datname = current_database()";
    /** PostgreSQL's sessions report their counts when they end, or after up to ten seconds without work. */
    private static final long REPORTED_WITHIN_MILLIS = 12_000;

    static Counters of(BenchDatabase database) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            return switch (database.product()) {
                case MYSQL, MARIADB -> ofMySql(statement);
                case POSTGRESQL -> ofPostgreSql(statement);
                case H2 -> NONE;
            };
        } catch (SQLException e) {
            throw new IllegalStateException("the database's counters can't be read", e);
        }
    }

    /** Waits until this many written rows are reported, because some databases report late. */
    static Counters once(BenchDatabase database, long written) {
        long deadline = System.currentTimeMillis() + REPORTED_WITHIN_MILLIS;
        Counters now = of(database);
        while (database.product() == Product.POSTGRESQL
                && now.written < written
                && System.currentTimeMillis() < deadline) {
            Pause.millis(200);
            now = of(database);
        }
        return now;
    }

    Counters since(Counters before) {
        return new Counters(
                written - before.written, read - before.read, commits - before.commits, statements - before.statements);
    }

    private static Counters ofMySql(Statement statement) throws SQLException {
        Map<String, Long> values = new HashMap<>();
        try (ResultSet rows = statement.executeQuery(OF_MYSQL)) {
            while (rows.next()) {
                values.put(rows.getString(1), rows.getLong(2));
            }
        }
        return new Counters(
                values.getOrDefault("Innodb_rows_inserted", 0L)
                        + values.getOrDefault("Innodb_rows_updated", 0L)
                        + values.getOrDefault("Innodb_rows_deleted", 0L),
                values.getOrDefault("Innodb_rows_read", 0L),
                values.getOrDefault("Com_commit", 0L),
                values.getOrDefault("Questions", 0L));
    }

    private static Counters ofPostgreSql(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(OF_POSTGRESQL)) {
            row.next();
            return new Counters(row.getLong("written"), row.getLong("read_rows"), row.getLong("commits"), 0);
        }
    }
}
