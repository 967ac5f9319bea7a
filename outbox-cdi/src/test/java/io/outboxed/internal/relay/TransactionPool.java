package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.store.jdbc.JdbcTransactionalAck;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Transactions bound to threads, as in a container: connections of this data source join them, and closing one ends
 * nothing.
 */
final class TransactionPool implements DataSource {
    private final ConnectionSource source;
    private final ThreadLocal<Connection> current = new ThreadLocal<>();

    TransactionPool(ConnectionSource source) {
        this.source = source;
    }

    Connection begin() {
        try {
            Connection connection = current.get();
            if (connection == null || connection.isClosed()) {
                connection = source.open();
                connection.setAutoCommit(false);
                current.set(connection);
            }
            return connection;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void commit() throws SQLException {
        current.get().commit();
    }

    void rollback() {
        try {
            current.get().rollback();
        } catch (SQLException e) {
            current.remove();
        }
    }

    /** As the last thing before the commit. */
    void run(JdbcTransactionalAck.Work work) {
        try {
            work.on(current.get());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Connection getConnection() {
        return WatchedConnection.unclosed(current.get());
    }

    @Override
    public Connection getConnection(String user, String password) {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("test");
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
