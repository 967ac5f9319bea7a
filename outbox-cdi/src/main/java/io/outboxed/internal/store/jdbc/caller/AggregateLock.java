package io.outboxed.internal.store.jdbc.caller;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.sql.CallerSql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Locks an aggregate until the connection's transaction ends. The number of rows to lock is fixed, so the table does
 * not grow; two aggregates with the same row wait for each other unnecessarily.
 */
public final class AggregateLock {
    /** As many rows as the schema files insert. */
    public static final int SLOTS = 1024;

    private final Dialect dialect;
    private final CallerSql sql;

    public AggregateLock(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.sql = new CallerSql(dialect, prefix);
    }

    /** Waits for the transaction that holds the lock. */
    public void take(Connection connection, String aggregateId) throws SQLException {
        int slot = slot(aggregateId);
        if (!new Jdbc(connection, dialect).exists(sql.lockSlot, slot)) {
            throw new SQLException("row " + slot + " of " + sql.prefix()
                    + "lock is missing: run the schema file, or use outbox.schema=create");
        }
    }

    /** By the id alone: the aggregate's type comes with the event, which does not exist yet. */
    public static int slot(String aggregateId) {
        return (int) (LaneHash.lane("", aggregateId) & SLOTS - 1);
    }
}
