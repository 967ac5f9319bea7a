package io.outboxed.internal.operations;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.partitions.HistoryRange;
import io.outboxed.internal.store.sql.ReadSql;
import io.outboxed.internal.store.sql.Sql;
import java.util.List;

/** Queries that only operators need. Separate from {@link Sql}, because the relay never runs them. */
final class OperationsSql extends SqlText {
    private static final String OF_MESSAGE =
            "m.type, m.aggregate_type, m.aggregate_id, m.payload_size, :created AS created";

    OperationsSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    final String nodes =
            of("SELECT owner, label, registry_version, :now - beat_at AS silent FROM outbox_node WHERE state = 0"
                    + " ORDER BY label, owner");

    final String handlers = of("SELECT type, handler, handler_group, registry_version, retired FROM outbox_handler"
            + " ORDER BY type, handler");

    /** The parameter is how many deliveries are read, of whatever handler and state. */
    final String waitingByHandler =
            of("SELECT t.handler, COUNT(*) AS seen, SUM(t.waits) AS found FROM (SELECT handler, CASE WHEN state = 0"
                    + " THEN 1 ELSE 0 END AS waits FROM outbox_delivery LIMIT ?) t GROUP BY t.handler");

    // ---- one aggregate; PostgreSQL has no index by lane on split messages ----

    static final int MAX_COUNTED = 10_000;
    private static final int MAX_DELIVERIES_READ = 100_000;

    final String rowsOfLane = count("outbox_message WHERE lane = ? AND status IN (0, 2)");
    final String splitRowsOfLane = of("SELECT COUNT(DISTINCT t.seq) AS found FROM (SELECT seq FROM outbox_delivery"
            + " WHERE lane = ? AND state <> 1 LIMIT " + MAX_DELIVERIES_READ + ") t");
    final String waitsOfLane =
            of("SELECT handler_group, resume_at FROM outbox_lane WHERE lane = ? ORDER BY handler_group");
    final String firstOfLane =
            of("SELECT id FROM outbox_message WHERE lane = ? AND status IN (0, 2) ORDER BY lane, seq LIMIT 1");

    private static final String OF_GROUP = " FROM outbox_delivery d JOIN outbox_message m ON m.seq = d.seq"
            + " AND m.id = d.message_id WHERE d.lane = ? AND d.handler_group = ? AND d.state <> 1";
    private static final String DELIVERY =
            "SELECT d.lane, d.handler_group, d.seq, d.message_id, d.handler, d.attempts, d.last_error, m.type,"
                    + " CASE WHEN d.state = 0 AND d.due_at <= :now THEN 1 ELSE 0 END AS due_now";

    /** Of the first message. The lane runs by the delivery that is due first, unless all of them are blocked. */
    final String firstOfGroup = of(DELIVERY + OF_GROUP + " AND d.seq = (SELECT d.seq" + OF_GROUP
            + ReadSql.orderInLane(dialect()) + " LIMIT 1)"
            + " ORDER BY CASE WHEN d.state = 0 THEN 0 ELSE 1 END, d.due_at, d.handler");

    final String waitingDelivery = of(DELIVERY + " FROM outbox_delivery d JOIN outbox_message m ON m.seq = d.seq"
            + " AND m.id = d.message_id WHERE d.message_id = ? AND d.handler = ? AND d.state = 0");
    final String ownerOfShard = of("SELECT owner FROM outbox_shard WHERE shard = ?");

    // ---- pauses ----

    final String pauseOf = of("SELECT name FROM outbox_pause WHERE kind = ? AND name = ?");
    final String addPause =
            of("INSERT INTO outbox_pause (kind, name, paused_at, paused_by, reason) VALUES (?, ?, :now, ?, ?)");
    final String deletePause = of("DELETE FROM outbox_pause WHERE kind = ? AND name = ?");
    final String deletePauseOf = of("DELETE FROM outbox_pause WHERE kind = ? AND name = ? AND paused_at = ?");

    // ---- audit ----

    private static final String AUDIT = "SELECT id, changed_at, changed_by, changed_via, reason, action, target,"
            + " message_id, changes FROM outbox_audit";
    private static final String NEWEST_FIRST = " ORDER BY changed_at DESC, id DESC LIMIT ?";

    private static final String ADD_AUDIT =
            "INSERT INTO outbox_audit (id, changed_at, changed_by, changed_via, reason, action, target, changes";

    final String addAudit = of(ADD_AUDIT + ", message_id) VALUES (?, :now, ?, ?, ?, ?, ?, ?, ?)");
    /** PostgreSQL rejects a parameter that is null for a column of type UUID. */
    final String addAuditOfNoEvent = of(ADD_AUDIT + ") VALUES (?, :now, ?, ?, ?, ?, ?, ?)");

    final String countAudit = of("UPDATE outbox_audit SET changes = changes + 1 WHERE id = ?");
    final String sumAudit = of("UPDATE outbox_audit SET target = ?, changes = ? WHERE id = ?");
    final String hasAudit = of("SELECT 1 AS one FROM outbox_audit WHERE id = ?");
    final String audit = of(AUDIT + NEWEST_FIRST);
    final String auditBefore = of(AUDIT + " WHERE changed_at <= ? AND (changed_at < ? OR id < ?)" + NEWEST_FIRST);

    /** The parameters are the action, and twice how many microseconds. After the clock was set back, a time lies ahead. */
    final String recentTargets = of("SELECT target, :now - changed_at AS age FROM outbox_audit WHERE action = ?"
            + " AND changed_at > :now - ? AND changed_at < :now + ?");

    // ---- lists, by number ----

    static final String TYPE = "m.type = ?";
    static final String AGGREGATE_TYPE = "m.aggregate_type = ?";
    static final String AGGREGATE_ID = "m.aggregate_id = ?";
    static final String HANDLER = "d.handler = ?";
    static final String CREATED_SINCE = ":created + 0 >= ?";
    static final String CREATED_UNTIL = ":created + 0 < ?";
    static final String ERROR = "POSITION(? IN d.last_error) > 0";
    static final String NOT_DUE = "d.due_at > :now";

    /** The last message of a step; the parameters are the first number and how many come before it. */
    final String endOfStep = of("SELECT m.seq FROM outbox_message m WHERE m.seq >= ? ORDER BY m.seq LIMIT 1 OFFSET ?");

    /** READY or PARKED rows of a step. No index has the rows of a status by number, so the step is its bound. */
    String messages(List<String> conditions) {
        return of("SELECT m.seq, m.id, m.status, m.only_handler AS handler, 0 AS attempts, NULL AS error,"
                + " :created + m.delay_micros AS due_at, " + OF_MESSAGE
                + " FROM outbox_message m WHERE m.status = ? AND m.seq > ? AND m.seq <= ?" + and(conditions)
                + " ORDER BY m.seq LIMIT ?");
    }

    /** Pending or blocked deliveries of the messages of a step, each looked up by the primary key. */
    String deliveries(List<String> conditions) {
        return of("SELECT d.seq, d.message_id AS id, 3 AS status, d.handler, d.attempts, d.last_error AS error,"
                + " d.due_at, " + OF_MESSAGE + " FROM outbox_message m " + deliveriesOfM()
                + " WHERE m.status = 3 AND d.state = ? AND m.seq >= ? AND m.seq <= ? AND (m.seq > ? OR d.handler > ?)"
                + and(conditions) + " ORDER BY m.seq, d.handler LIMIT ?");
    }

    /** As {@link #deliveries}, of all messages: from the deliveries on, which are fewer in a backlog of messages. */
    String countDeliveries(List<String> conditions) {
        return count("outbox_delivery d " + (dialect().isMySqlFamily() ? "STRAIGHT_JOIN" : "JOIN")
                + " outbox_message m ON m.seq = d.seq AND m.id = d.message_id WHERE m.status = 3 AND d.state = ?"
                + and(conditions));
    }

    /** Joined without a choice, a database may read all deliveries to find those of a few messages. */
    private String deliveriesOfM() {
        return switch (dialect()) {
            case MYSQL, MARIADB -> "STRAIGHT_JOIN outbox_delivery d ON d.message_id = m.id AND d.seq = m.seq";
            case POSTGRESQL ->
                "CROSS JOIN LATERAL (SELECT o.* FROM outbox_delivery o WHERE o.message_id = m.id AND o.seq = m.seq"
                        + " OFFSET 0) d";
            case H2 -> "JOIN outbox_delivery d ON d.message_id = m.id AND d.seq = m.seq";
        };
    }

    private static String and(List<String> conditions) {
        return conditions.isEmpty() ? "" : " AND " + String.join(" AND ", conditions);
    }

    // ---- one event ----

    /** PostgreSQL sessions of the relay avoid sorts. Without the sum, they would read all messages by number. */
    final String rowsOf = of("SELECT m.seq, m.status, m.version, m.shard, m.only_handler, m.delay_micros, " + OF_MESSAGE
            + " FROM outbox_message m WHERE m.id = ? ORDER BY m.seq + 0");

    final String deliveriesOf = of("SELECT handler, handler_group, seq, state, attempts, due_at, last_error"
            + " FROM outbox_delivery WHERE message_id = ? ORDER BY seq, handler");

    String historyOf(HistoryRange times) {
        return of("SELECT m.processed_at FROM outbox_history m WHERE m.id = ?" + within(times));
    }

    /**
     * The time is the key of the history's partitions. It is written as a number, because a database may choose the
     * partitions before it knows the values of parameters.
     */
    private static String within(HistoryRange times) {
        return (times.from() == HistoryRange.BEGINNING ? "" : " AND m.processed_at >= " + times.from())
                + (times.until() == HistoryRange.END ? "" : " AND m.processed_at < " + times.until());
    }

    final List<String> contentsOf = List.of(
            content("outbox_message m WHERE m.id = ? ORDER BY m.seq + 0"),
            content("outbox_dead m WHERE m.message_id = ?"));

    String contentOfHistory(HistoryRange times) {
        return content("outbox_history m WHERE m.id = ?" + within(times));
    }

    private String content(String from) {
        return of("SELECT m.headers, m.payload, m.payload_binary FROM " + from + " LIMIT 1");
    }
}
