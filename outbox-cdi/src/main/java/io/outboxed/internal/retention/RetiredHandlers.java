package io.outboxed.internal.retention;

import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.store.HandlerKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Removes the registrations of retired handlers for which nothing waits any more. Their age does not matter: a
 * deployment that still has such a handler registers it again, with or without its old row. Thread-safe.
 */
public final class RetiredHandlers {
    /** While there are more deliveries, nothing is removed: they would be read, and deployments would wait for that. */
    public static final int MOST_DELIVERIES = 100_000;

    private final Dialect dialect;
    private final RetentionSql sql;
    private final int mostDeliveries;

    public RetiredHandlers(Dialect dialect, String prefix) {
        this(dialect, prefix, MOST_DELIVERIES);
    }

    RetiredHandlers(Dialect dialect, String prefix, int mostDeliveries) {
        this.dialect = dialect;
        this.sql = new RetentionSql(dialect, prefix);
        this.mostDeliveries = mostDeliveries;
    }

    /**
     * Those that can be removed; changes nothing.
     *
     * @return empty if they were not examined, because there are more than {@link #MOST_DELIVERIES} deliveries
     */
    public Optional<List<HandlerKey>> dryRun(Connection connection) throws SQLException {
        Jdbc jdbc = new Jdbc(connection, dialect);
        if (jdbc.exists(sql.manyDeliveries, mostDeliveries)) {
            return Optional.empty();
        }
        return Optional.of(
                jdbc.list(sql.unusedHandlers, row -> new HandlerKey(row.getString("type"), row.getString("handler"))));
    }

    /**
     * Removes one of them, in a transaction that locks the registry: a deployment that registers the handler at the same
     * time must not update a row that is gone.
     *
     * @param connection in auto-commit mode
     * @param recorder called in the transaction that removes it
     * @return false if it is active again, or gone, or something waits for it, or there are too many deliveries to
     *     find that out
     */
    public boolean remove(Connection connection, HandlerKey registration, BatchRecorder<HandlerKey> recorder)
            throws SQLException {
        return OneTransaction.run(new Jdbc(connection, dialect), locked -> {
            locked.exists(sql.lockRegistry);
            // a node that had not noticed the retirement may have added one
            boolean removed = !locked.exists(sql.manyDeliveries, mostDeliveries)
                    && !locked.exists(sql.waitingOf, registration.handler())
                    && locked.update(sql.deleteHandler, registration.type(), registration.handler()) > 0;
            if (removed) {
                recorder.record(locked, registration);
            }
            return removed;
        });
    }
}
