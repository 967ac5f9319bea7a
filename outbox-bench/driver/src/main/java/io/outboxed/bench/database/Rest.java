package io.outboxed.bench.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Lets the database complete the background work of the last run, so that the next run does not pay for it. */
final class Rest {
    private static final String IDLE = "(?s).*Purge done for trx's[^\n]*state: running but idle\n.*";
    private static final int TIMES = 2;
    private static final String PURGE_BACKLOG =
            "SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'";
    private static final long FEW = 500;
    private static final long AT_MOST_MILLIS = 60_000;

    private Rest() {}

    static void take(BenchDatabase database, String prefix) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            switch (database.product()) {
                case MYSQL -> await(TIMES, () -> isPurged(statement));
                case MARIADB -> await(1, () -> historyLength(statement) <= FEW);
                case POSTGRESQL -> {
                    for (String table : List.of("message", "delivery", "lane")) {
                        statement.execute("VACUUM (ANALYZE) " + prefix + table);
                    }
                    checkpoint(statement);
                }
                case H2 -> statement.execute("CHECKPOINT SYNC");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database could not be brought to rest", e);
        }
    }

    /** In a database of your own, that right may be missing. */
    private static void checkpoint(Statement statement) throws SQLException {
        try {
            statement.execute("CHECKPOINT");
        } catch (SQLException e) {
            if (!"42501".equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    private interface State {
        boolean isReached() throws SQLException;
    }

    /** @param times in a row: between two of its batches the purge looks idle */
    private static void await(int times, State state) throws SQLException {
        long deadline = System.currentTimeMillis() + AT_MOST_MILLIS;
        for (int seen = 0; seen < times; seen = state.isReached() ? seen + 1 : 0) {
            if (System.currentTimeMillis() > deadline) {
                throw new IllegalStateException("the database did not come to rest within " + AT_MOST_MILLIS + " ms");
            }
            Pause.millis(50);
        }
    }

    /** The length of the history counts transactions, and one of them may have deleted all rows of a backlog. */
    private static boolean isPurged(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SHOW ENGINE INNODB STATUS")) {
            return row.next() && row.getString("Status").matches(IDLE);
        }
    }

    private static long historyLength(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(PURGE_BACKLOG)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}
