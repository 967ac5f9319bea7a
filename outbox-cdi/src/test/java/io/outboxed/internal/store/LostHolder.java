package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.WatchedConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections of which the first one that has locked a node and a lane is killed in the server, so that its locks are
 * lost, just before another one asks for that lane.
 */
final class LostHolder implements ConnectionSource {
    private static final int NODE_AND_LANE = 2;

    private final ConnectionSource real;
    private final Dialect dialect;
    /** In the order of their first lock statement. */
    private final List<Locking> locking = new ArrayList<>();

    LostHolder(ConnectionSource real, Dialect dialect) {
        this.real = real;
        this.dialect = dialect;
    }

    private static final class Locking {
        private final Connection connection;
        private int statements;

        private Locking(Connection connection) {
            this.connection = connection;
        }
    }

    @Override
    public Connection open() throws SQLException {
        Locking opened = new Locking(real.open());
        return WatchedConnection.of(opened.connection, call -> {
            if (takesLock(call.prepared())) {
                beforeLock(opened);
            }
            return call.proceed();
        });
    }

    private static boolean takesLock(String sql) {
        return sql.contains("pg_try_advisory_lock") || sql.contains("GET_LOCK");
    }

    private void beforeLock(Locking now) throws SQLException {
        if (now.statements == 0) {
            locking.add(now);
        }
        now.statements++;
        if (now != locking.get(0) && now.statements == NODE_AND_LANE) {
            kill(locking.get(0).connection);
        }
    }

    private void kill(Connection holder) throws SQLException {
        boolean postgresql = dialect == Dialect.POSTGRESQL;
        try (Statement held = holder.createStatement();
                ResultSet id = held.executeQuery("SELECT " + (postgresql ? "pg_backend_pid()" : "CONNECTION_ID()"));
                Connection administrator = real.open();
                Statement kill = administrator.createStatement()) {
            id.next();
            kill.execute(
                    postgresql ? "SELECT pg_terminate_backend(" + id.getInt(1) + ", 20000)" : "KILL " + id.getLong(1));
        }
    }
}
