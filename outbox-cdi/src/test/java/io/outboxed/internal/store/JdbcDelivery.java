package io.outboxed.internal.store;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.store.jdbc.JdbcTransactionalAck;
import io.outboxed.internal.store.jdbc.RejectedHistory;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A handler's transaction on one connection; as under JTA, closing the handle does not end it. */
final class JdbcDelivery implements StoreFixture.Delivery {
    final Connection connection;
    private final TransactionalAck ack;

    JdbcDelivery(Connection connection, SqlText names, int isolation, RejectedHistory history) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(isolation);
        DataSource enlisted = new Enlisted(WatchedConnection.unclosed(connection));
        this.ack = new JdbcTransactionalAck(enlisted, this::run, names.dialect(), names.prefix(), history);
    }

    void read(String sql) throws SQLException {
        new Jdbc(connection, Dialect.from(connection.getMetaData())).exists(sql);
    }

    /** As when the process ends: the connection is cut without notice. */
    void kill() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    int run(String sql, Object... parameters) throws SQLException {
        return new Jdbc(connection, Dialect.from(connection.getMetaData())).update(sql, parameters);
    }

    private void run(JdbcTransactionalAck.Work work) {
        try {
            work.on(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void claim(MessageHead head) {
        ack.claim(head);
    }

    @Override
    public void acknowledge(MessageHead head, String handler, AckMode ackMode) {
        ack.acknowledge(head, handler, ackMode);
    }

    @Override
    public void claim(List<MessageHead> heads) {
        ack.claim(heads);
    }

    @Override
    public void acknowledge(List<MessageHead> heads, String handler) {
        ack.acknowledge(heads, handler);
    }

    @Override
    public void commit() {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void rollback() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.close();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Enlisted(Connection handle) implements DataSource {
        @Override
        public Connection getConnection() {
            return handle;
        }

        @Override
        public Connection getConnection(String user, String password) {
            return handle;
        }

        @Override
        public PrintWriter getLogWriter() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLogWriter(PrintWriter out) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLoginTimeout(int seconds) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() {
            throw new UnsupportedOperationException();
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
}
