package io.outboxed.internal.testkit;

import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.Resolution;

/** The statements of the test kit, written like those of the relay. */
final class TestSql extends SqlText {

    TestSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /** An event is in one of the first two; if it has dead letters, in the third as well. */
    final String published = of("SELECT m.seq, m.id, m.payload, m.payload_binary FROM outbox_message m WHERE m.type = ?"
            + " UNION ALL SELECT h.seq, h.id, h.payload, h.payload_binary FROM outbox_history h WHERE h.type = ?"
            + " UNION ALL SELECT d.seq, d.message_id, d.payload, d.payload_binary FROM outbox_dead d WHERE d.type = ?"
            + " ORDER BY 1");

    final String due = of("SELECT 1 FROM outbox_message m WHERE m.status = 0 AND :created + m.delay_micros <= :now"
            + " UNION ALL SELECT 1 FROM outbox_lane l WHERE l.resume_at <= :now AND l.handler_group <> '"
            + LaneWait.NO_HANDLER + "'"
            // called as soon as its handler has a free worker, even if the relay looks only later
            + " UNION ALL SELECT 1 FROM outbox_delivery d JOIN outbox_lane l ON l.lane = d.lane"
            + " AND l.handler_group = d.handler_group WHERE d.state = 0 AND d.attempts = 0 AND d.last_error = '"
            + Resolution.ALL_WORKERS_BUSY + "' AND l.resume_at < " + LaneWait.AFTER_RESUME);

    /** A message whose dead letter blocks its aggregate stays. */
    final String pending = of("SELECT 1 FROM outbox_message m WHERE m.id = ? AND (m.status <> 3 OR EXISTS (SELECT 1"
            + " FROM outbox_delivery d WHERE d.message_id = m.id AND d.state NOT IN (1, 2)))");

    final String ended = of(
            "SELECT 1 FROM outbox_history WHERE id = ? UNION ALL" + " SELECT 1 FROM outbox_dead WHERE message_id = ?");

    final String untilDue = of("SELECT MIN(t.gap) AS gap FROM (SELECT l.resume_at - :now AS gap FROM outbox_lane l"
            + " WHERE l.resume_at > :now AND l.resume_at < " + LaneWait.AFTER_RESUME + " AND l.handler_group <> '"
            + LaneWait.NO_HANDLER + "' UNION ALL"
            + " SELECT :created + m.delay_micros - :now AS gap FROM outbox_message m WHERE m.status = 0) t"
            + " WHERE t.gap > 0");

    final String allPaused = of("SELECT 1 FROM outbox_pause WHERE kind = " + PauseTarget.Kind.ALL.ordinal());

    final String paused = of("SELECT 1 FROM outbox_lane WHERE resume_at = " + LaneWait.AFTER_RESUME);

    final String left = of("SELECT m.id, m.type, m.aggregate_id, :created + m.delay_micros - :now AS starts_in,"
            + " d.handler, d.state, d.attempts, d.due_at - :now AS due_in, d.last_error FROM outbox_message m"
            + " LEFT JOIN outbox_delivery d ON d.message_id = m.id AND d.state <> 1 ORDER BY m.seq, d.handler");

    final String deadLetters =
            of("SELECT type, aggregate_id, handler FROM outbox_dead" + " ORDER BY type, aggregate_id, handler, seq");

    // ---- what is due anyway stays as it is: the relay may be working on it; what is paused waits for no time ----

    final String advanceDelays = of("UPDATE outbox_message SET delay_micros ="
            + " CASE WHEN delay_micros > ? THEN delay_micros - ? ELSE 0 END WHERE delay_micros > 0");
    final String advanceDeliveries =
            of("UPDATE outbox_delivery SET due_at = due_at - ? WHERE state = 0 AND due_at > :now");
    final String advanceLanes = of("UPDATE outbox_lane SET resume_at = resume_at - ?"
            + " WHERE resume_at > :now AND resume_at < " + LaneWait.AFTER_RESUME);
}
