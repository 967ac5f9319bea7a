package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;

/** A pooler that gives a connection a session for each transaction: the one that was used last, if it is idle. */
final class SharedSessions implements ConnectionSource, AutoCloseable {
    private final ConnectionSource server;
    private final Deque<Connection> idle = new ArrayDeque<>();

    SharedSessions(ConnectionSource server) {
        this.server = server;
    }

    @Override
    public Connection open() {
        Client client = new Client();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> client.call(method, arguments));
    }

    @Override
    public void close() throws SQLException {
        for (Connection session : idle) {
            session.close();
        }
    }

    private final class Client {
        private Connection inTransaction;

        private Object call(Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("close")) {
                return null;
            }
            Connection session = inTransaction != null ? inTransaction : idle.isEmpty() ? server.open() : idle.pop();
            inTransaction = session;
            try {
                return method.invoke(session, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            } finally {
                if (session.getAutoCommit()) {
                    idle.push(session);
                    inTransaction = null;
                }
            }
        }
    }
}
