package io.outboxed.internal.database;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a connection that takes part in no JTA transaction. The caller closes it. */
@FunctionalInterface
public interface ConnectionSource {
    Connection open() throws SQLException;

    /** Whether a connection opened here is reused by others after it is closed, with all settings made on it. */
    default boolean isShared() {
        return false;
    }

    /** Over a pool that the application uses too. */
    static ConnectionSource shared(ConnectionSource pool) {
        return new ConnectionSource() {
            @Override
            public Connection open() throws SQLException {
                return pool.open();
            }

            @Override
            public boolean isShared() {
                return true;
            }
        };
    }
}
