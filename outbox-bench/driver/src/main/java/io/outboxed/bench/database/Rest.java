package io.outboxed.bench.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Lets the database complete the background work of the last run, so that the next run does not pay for it. */
final class Rest {
    private static final String PURGE_BACKLOG =
            "SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'";
    private static final long FEW = 500;
    private static final long AT_MOST_MILLIS = 30_000;

    private Rest() {}

    static void take(BenchDatabase database, String prefix) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            switch (database.product()) {
                case MYSQL, MARIADB -> awaitPurge(statement);
                case POSTGRESQL -> statement.execute("VACUUM (ANALYZE) " + prefix + "message");
                case H2 -> statement.execute("CHECKPOINT SYNC");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database could not be brought to rest", e);
        }
    }

    private static void awaitPurge(Statement statement) throws SQLException {
        long deadline = System.currentTimeMillis() + AT_MOST_MILLIS;
        while (historyLength(statement) > FEW && System.currentTimeMillis() < deadline) {
            Pause.millis(100);
        }
    }

    private static long historyLength(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(PURGE_BACKLOG)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}
