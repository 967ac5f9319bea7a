package io.outboxed.faults.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A bulk operation that a node has stored, as the database has it. Its times are those of the machine's clock.
 *
 * @param endedAt {@link Long#MAX_VALUE} if no node has completed it
 * @param changed how many dead letters or deliveries
 */
public record BulkOperation(Kind kind, long startedAt, long endedAt, long changed) {

    /** In the order of the numbers that are stored for them. */
    public enum Kind {
        REPLAY,
        DISCARD,
        RETRY;

        public List<BulkOperation> of(List<BulkOperation> operations) {
            return operations.stream().filter(each -> each.kind == this).toList();
        }
    }

    /** All, in the order of their starts. */
    public static List<BulkOperation> read(Connection connection) throws SQLException {
        List<BulkOperation> operations = new ArrayList<>();
        Facts.query(
                connection,
                "SELECT kind, started_at, COALESCE(ended_at, " + Long.MAX_VALUE + "), changes FROM outbox_operation"
                        + " ORDER BY started_at",
                row -> operations.add(new BulkOperation(
                        Kind.values()[row.getInt(1)], row.getLong(2), row.getLong(3), row.getLong(4))));
        return operations;
    }

    public boolean isUnfinished() {
        return endedAt == Long.MAX_VALUE;
    }

    /** Whether the database or one of the nodes could not work meanwhile. */
    public boolean wasInterrupted(Outages outages, List<String> nodes) {
        Spans lifetime = Spans.of(List.of(new Spans.Span(startedAt, endedAt)));
        Spans down = outages.down(Outages.DATABASE);
        for (String node : nodes) {
            down = down.or(outages.down(node));
        }
        return lifetime.and(down).length() > 0;
    }
}
