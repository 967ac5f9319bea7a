package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Connections whose sessions can be ended as an administrator does, or a server that has lost the way to a node. */
public final class KillableSessions implements ConnectionSource {
    private final ConnectionSource source;
    private final Dialect dialect;
    private final Queue<Long> ids = new ConcurrentLinkedQueue<>();

    public KillableSessions(ConnectionSource source, Dialect dialect) {
        this.source = source;
        this.dialect = dialect;
    }

    @Override
    public Connection open() throws SQLException {
        Connection connection = source.open();
        String id = dialect.isMySqlFamily() ? "CONNECTION_ID()" : "pg_backend_pid()";
        new Jdbc(connection, dialect)
                .first("SELECT " + id + " AS id", row -> row.getLong("id"))
                .ifPresent(ids::add);
        return connection;
    }

    /** Those that were opened up to now. */
    public void kill() throws SQLException {
        try (Connection admin = source.open();
                Statement statement = admin.createStatement()) {
            for (Long id = ids.poll(); id != null; id = ids.poll()) {
                kill(statement, id);
            }
        }
    }

    private void kill(Statement statement, long id) throws SQLException {
        if (!dialect.isMySqlFamily()) {
            statement.execute("SELECT pg_terminate_backend(" + id + ", 20000)");
            return;
        }
        try {
            statement.execute("KILL " + id);
        } catch (SQLException e) {
            if (e.getErrorCode() != 1094) {
                throw e;
            }
            // it was closed before
        }
    }
}
