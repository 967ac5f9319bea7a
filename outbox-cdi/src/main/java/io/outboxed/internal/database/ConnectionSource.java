package io.outboxed.internal.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

/** Opens a connection that takes part in no JTA transaction. The caller closes it. */
@FunctionalInterface
public interface ConnectionSource {
    Connection open() throws SQLException;

    /**
     * As {@link #open()}, for a caller that would rather try again than wait.
     *
     * @param answerLimit how long each answer of the server may take until the connection is open. A source rounds it
     *     down to whole seconds, one at least, or ignores it if it can't limit that: the pool of a container has its own
     *     limits.
     */
    default Connection open(Duration answerLimit) throws SQLException {
        return open();
    }

    /**
     * As {@link #open()}. A failure to get a connection counts as transient, whatever the reason: a pool's own exceptions have
     * no SQLState.
     */
    default Connection connect() throws SQLTransientConnectionException {
        try {
            return open();
        } catch (SQLException e) {
            throw new SQLTransientConnectionException(e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
        }
    }

    /**
     * Whether a connection opened here is pooled: after it is closed, others get it with all session settings that were
     * made.
     */
    default boolean isShared() {
        return false;
    }

    /** Opens connections from a pool that the application uses too. */
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
