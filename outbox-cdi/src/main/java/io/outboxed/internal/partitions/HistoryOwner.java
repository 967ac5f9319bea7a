package io.outboxed.internal.partitions;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.Jdbc;
import java.sql.SQLException;
import java.util.Optional;

/**
 * PostgreSQL: the role that owns the history. A member of the role makes tables of its own, which the owner could
 * neither change nor drop.
 *
 * @param schema as in statements
 * @param mayBeGiven whether this session may give a new table to the role, which needs a right of the role
 */
record HistoryOwner(String role, String schema, boolean mayBeGiven) {

    /**
     * Empty if it is the session's own role.
     *
     * @throws OutboxException if the role lacks that right
     */
    static Optional<HistoryOwner> other(Jdbc jdbc, PartitionSql sql) throws SQLException {
        Optional<HistoryOwner> other = find(jdbc, sql);
        if (other.isPresent() && !other.get().mayBeGiven) {
            throw other.get().withoutRight(sql);
        }
        return other;
    }

    /** Empty if it is the session's own role. */
    static Optional<HistoryOwner> find(Jdbc jdbc, PartitionSql sql) throws SQLException {
        return jdbc.first(
                sql.otherOwner,
                row -> new HistoryOwner(
                        row.getString("owner"), row.getString("schema_name"), row.getInt("may_be_given") == 1),
                sql.tableInCatalog());
    }

    private OutboxException withoutRight(PartitionSql sql) {
        return new OutboxException(
                "OUTBOX-0312",
                "The partitions of " + sql.table() + " can't be maintained (outbox.history.partition): new ones would"
                        + " belong to its owner " + role + ", which may not have tables in the schema " + schema
                        + ". None was created. Run GRANT CREATE ON SCHEMA " + schema + " TO " + sql.role(role)
                        + ".");
    }
}
