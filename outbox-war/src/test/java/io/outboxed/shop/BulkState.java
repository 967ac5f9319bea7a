package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.BulkRequest.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/**
 * What an operation has counted, and what the tables have of it.
 *
 * @param left dead letters or deliveries that it still has to change
 * @param audited as its row in the audit counts
 * @param discards rows in the audit, one for each dead letter that was discarded
 * @param discarded the events of these rows
 */
record BulkState(boolean running, int matched, int changed, int left, int audited, int discards, int discarded) {
    private static final String DEAD =
            "SELECT COUNT(*) FROM outbox_dead WHERE died_at >= o.died_since AND died_at < o.died_until";
    /** Those whose next attempt is more than half an hour away. */
    private static final String WAITING = "SELECT COUNT(*) FROM outbox_delivery d"
            + " WHERE d.handler = o.handler AND d.state = 0 AND d.due_at > o.started_at + 1800000000";

    /** In one statement: the database may still be busy with a commit of the server that was killed. */
    static BulkState read(Kind kind, Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT state, matched, changes,"
                + " (" + (kind == Kind.RETRY ? WAITING : DEAD) + ") AS unchanged,"
                + " (SELECT SUM(changes) FROM outbox_audit WHERE action = ? AND message_id IS NULL) AS audited,"
                + " (SELECT COUNT(message_id) FROM outbox_audit WHERE action = 'discard') AS discards,"
                + " (SELECT COUNT(DISTINCT message_id) FROM outbox_audit WHERE action = 'discard') AS discarded"
                + " FROM outbox_operation o WHERE kind = ?")) {
            query.setString(1, kind.name().toLowerCase(Locale.ROOT));
            query.setInt(2, kind.ordinal());
            try (ResultSet row = query.executeQuery()) {
                assertThat(row.next()).isTrue();
                return new BulkState(
                        row.getInt("state") == 0,
                        row.getInt("matched"),
                        row.getInt("changes"),
                        row.getInt("unchanged"),
                        row.getInt("audited"),
                        row.getInt("discards"),
                        row.getInt("discarded"));
            }
        }
    }
}
