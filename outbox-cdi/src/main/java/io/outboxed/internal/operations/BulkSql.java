package io.outboxed.internal.operations;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;

/** The statements of bulk operations. */
final class BulkSql extends SqlText {
    private static final String OPERATION = "SELECT id, kind, state, only_message, handler, type, aggregate_type,"
            + " aggregate_id, error_text, error_kind, died_since, died_until, blocking, accept_order, per_second,"
            + " matched, changes, reached, started_at, started_by, started_via, reason, ended_at FROM outbox_operation";

    BulkSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    final String start = of("INSERT INTO outbox_operation (id, kind, only_message, handler, type, aggregate_type,"
            + " aggregate_id, error_text, error_kind, died_since, died_until, blocking, accept_order, per_second,"
            + " matched, started_by, started_via, reason, started_at)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, :now)");
    final String one = of(OPERATION + " WHERE id = ?");
    final String running = of(OPERATION + " WHERE ended_at IS NULL ORDER BY started_at, id LIMIT ?");
    final String ended = of(OPERATION + " WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, id LIMIT ?");

    /** These change only an operation that is running. */
    final String count = of("UPDATE outbox_operation SET changes = changes + 1 WHERE id = ? AND state = 0");

    final String reach = of("UPDATE outbox_operation SET reached = ? WHERE id = ? AND state = 0");
    final String end = of("UPDATE outbox_operation SET state = ?, ended_at = :now WHERE id = ? AND state = 0");
}
