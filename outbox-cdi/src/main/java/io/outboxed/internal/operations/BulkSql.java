package io.outboxed.internal.operations;

import io.outboxed.admin.BulkRequest;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.retention.AgedTable;

/** The statements of bulk operations. */
final class BulkSql extends SqlText {
    private static final String OPERATION = "SELECT id, kind, state, only_message, handler, type, aggregate_type,"
            + " aggregate_id, error_text, error_kind, died_since, died_until, blocking, accept_order, per_second,"
            + " matched, changes, reached, started_at, started_by, started_via, reason, ended_at FROM outbox_operation";

    /** A kind that only newer versions know is for their nodes. */
    private static final String KNOWN = "kind < " + BulkRequest.Kind.values().length;

    /** See {@link AgedTable#NOT_FOR_OLDER}. */
    private static final String RUNS_HERE =
            KNOWN + " AND state = 0 AND (ended_at IS NULL OR ended_at = " + AgedTable.NOT_FOR_OLDER + ")";

    BulkSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    final String start = of("INSERT INTO outbox_operation (id, kind, only_message, handler, type, aggregate_type,"
            + " aggregate_id, error_text, error_kind, died_since, died_until, blocking, accept_order, per_second,"
            + " matched, started_by, started_via, reason, ended_at, started_at)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULLIF(?, 0), :now)");
    final String one = of(OPERATION + " WHERE id = ? AND " + KNOWN);
    final String running = of(OPERATION + " WHERE " + RUNS_HERE + " ORDER BY started_at, id LIMIT ?");
    final String ended = of(OPERATION + " WHERE " + KNOWN + " AND ended_at < " + AgedTable.NOT_FOR_OLDER
            + " ORDER BY ended_at DESC, id LIMIT ?");

    /** These change only an operation that is running. */
    final String count = of("UPDATE outbox_operation SET changes = changes + 1 WHERE id = ? AND state = 0");

    /** Only from the position that is known, so that a node which stood still takes nothing back. */
    private static final String FROM = " WHERE id = ? AND state = 0 AND COALESCE(reached, '') = ?";

    final String countAndReach = of("UPDATE outbox_operation SET changes = changes + 1, reached = ?" + FROM);
    final String reach = of("UPDATE outbox_operation SET reached = ?" + FROM);
    final String end = of("UPDATE outbox_operation SET state = ?, error_text = ?, error_kind = ?, ended_at = :now"
            + " WHERE id = ? AND state = 0");
}
