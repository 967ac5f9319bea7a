package io.outboxed.internal.database;

import java.sql.Connection;
import java.sql.SQLException;

/** One transaction on a connection that is in auto-commit mode before and after. */
public final class OneTransaction {
    private OneTransaction() {}

    /**
     * Commits what the work has done, or rolls it back if it throws. That includes an error: a pool that takes back a
     * connection may turn auto-commit on, which would commit half of the work.
     */
    public static <T> T run(Jdbc jdbc, Connections.Work<T> work) throws SQLException {
        Connection connection = jdbc.connection();
        connection.setAutoCommit(false);
        try {
            T result = work.run(jdbc);
            connection.commit();
            connection.setAutoCommit(true);
            return result;
        } catch (Throwable e) {
            rollback(connection, e);
            throw e;
        }
    }

    private static void rollback(Connection connection, Throwable cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
