package io.outboxed.internal.retention;

import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.store.HandlerKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Removes the registrations of retired handlers for which nothing waits any more. Their age does not matter: a
 * deployment that still has such a handler registers it again, with or without its old row. Thread-safe.
 */
public final class RetiredHandlers {
    /** While there are more deliveries, nothing is removed: they would be read, and deployments would wait for that. */
    static final int MOST_DELIVERIES = 100_000;

    private final Dialect dialect;
    private final RetentionSql sql;

    public RetiredHandlers(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.sql = new RetentionSql(dialect, prefix);
    }

    /** Those that can be removed; changes nothing. */
    public List<HandlerKey> dryRun(Connection connection) throws SQLException {
        Jdbc jdbc = new Jdbc(connection, dialect);
        return jdbc.exists(sql.manyDeliveries, MOST_DELIVERIES)
                ? List.of()
                : jdbc.list(sql.unusedHandlers, row -> new HandlerKey(row.getString("type"), row.getString("handler")));
    }

    /**
     * Removes one of them, in a transaction that locks the registry: a deployment that registers the handler at the same
     * time must not update a row that is gone.
     *
     * @param connection in auto-commit mode
     * @param recorder called in the transaction that removes it
     * @return false if it is active again, or gone, or something waits for it
     */
    public boolean remove(Connection connection, HandlerKey registration, BatchRecorder<HandlerKey> recorder)
            throws SQLException {
        return OneTransaction.run(new Jdbc(connection, dialect), locked -> {
            locked.exists(sql.lockRegistry);
            // a node that had not noticed the retirement may have added one
            boolean removed = !locked.exists(sql.manyDeliveries, MOST_DELIVERIES)
                    && !locked.exists(sql.waitingOf, registration.handler())
                    && locked.update(sql.deleteHandler, registration.type(), registration.handler()) > 0;
            if (removed) {
                recorder.record(locked, registration);
            }
            return removed;
        });
    }
}
