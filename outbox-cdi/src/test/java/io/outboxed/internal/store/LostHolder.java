package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections of which the first one that has locked a node and a lane is lost, with its locks, just before another one
 * asks for that lane.
 */
final class LostHolder implements ConnectionSource {
    private static final int NODE_AND_LANE = 2;

    private final ConnectionSource real;
    /** In the order of their first lock statement. */
    private final List<Locking> locking = new ArrayList<>();

    LostHolder(ConnectionSource real) {
        this.real = real;
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
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement") && takesLock((String) arguments[0])) {
                        beforeLock(opened);
                    }
                    try {
                        return method.invoke(opened.connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
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
            locking.get(0).connection.close();
        }
    }
}
