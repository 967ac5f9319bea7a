package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.WatchedConnection;
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
        return WatchedConnection.of(null, new Client()::call);
    }

    @Override
    public void close() throws SQLException {
        for (Connection session : idle) {
            session.close();
        }
    }

    private final class Client {
        private Connection inTransaction;

        private Object call(WatchedConnection.Call call) throws Throwable {
            if (call.is("close")) {
                return null;
            }
            Connection session = inTransaction != null ? inTransaction : idle.isEmpty() ? server.open() : idle.pop();
            inTransaction = session;
            try {
                return call.proceedOn(session);
            } finally {
                if (session.getAutoCommit()) {
                    idle.push(session);
                    inTransaction = null;
                }
            }
        }
    }
}
