package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Connections to PostgreSQL that begin as new ones do. A process of its own for each takes longer than most tests.
 *
 * @see <a href="https://www.postgresql.org/docs/current/sql-discard.html">DISCARD ALL</a>
 */
final class ReusedSessions implements ConnectionSource {
    private static final int ISOLATION = Connection.TRANSACTION_READ_COMMITTED;

    private final ConnectionSource server;
    private final Deque<Connection> idle = new ArrayDeque<>();

    ReusedSessions(ConnectionSource server) {
        this.server = server;
    }

    @Override
    public Connection open() throws SQLException {
        Connection session;
        do {
            synchronized (idle) {
                session = idle.poll();
            }
        } while (session != null && !session.isValid(5));
        return borrowed(session == null ? server.open() : session);
    }

    private Connection borrowed(Connection session) {
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "equals":
                            return proxy == arguments[0];
                        case "close":
                            if (closed.compareAndSet(false, true)) {
                                giveBack(session);
                            }
                            return null;
                        case "isClosed":
                            return closed.get() || session.isClosed();
                        case "abort":
                            return closed.get() ? null : invoke(session, method, arguments);
                        default:
                            if (closed.get() && method.getDeclaringClass() != Object.class) {
                                throw new SQLException("This connection has been closed.", "08003");
                            }
                            return invoke(session, method, arguments);
                    }
                });
    }

    private static Object invoke(Connection session, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(session, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void giveBack(Connection session) throws SQLException {
        try {
            if (!session.getAutoCommit()) {
                session.rollback();
                session.setAutoCommit(true);
            }
            try (Statement statement = session.createStatement()) {
                statement.execute("DISCARD ALL");
            }
            session.setReadOnly(false);
            session.setTransactionIsolation(ISOLATION);
            session.setNetworkTimeout(Runnable::run, 0);
            synchronized (idle) {
                idle.push(session);
            }
        } catch (SQLException e) {
            session.close();
        }
    }
}
