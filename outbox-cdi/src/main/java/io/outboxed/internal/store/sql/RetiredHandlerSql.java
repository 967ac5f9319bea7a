package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.HandlerKey;

/** Deliveries of handlers that are not in use. */
public final class RetiredHandlerSql extends StoreSql {
    public RetiredHandlerSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /** A retired handler may be registered for any type, or the other way round, or not at all any more. */
    private static String inUse(String handler, String type) {
        return "SELECT h.handler FROM outbox_handler h WHERE h.handler = " + handler + " AND h.type IN (" + type + ", '"
                + HandlerKey.ANY_TYPE + "') AND h.retired = 0";
    }

    /** The first comparison is for MySQL, as in {@link DeadLetterSql}. The index by lane has this order. */
    private static final String AFTER = "d.lane >= ? AND (d.lane, d.handler_group, d.seq) > (?, ?, ?) AND d.state <> 1";

    private static final String UNTIL = "d.lane <= ? AND (d.lane, d.handler_group, d.seq) <= (?, ?, ?)";
    private static final String IN_ORDER = " ORDER BY d.lane, d.handler_group, d.seq";

    public final String endOfWaiting = of("SELECT d.lane, d.shard, d.handler_group, d.seq FROM outbox_delivery d WHERE "
            + AFTER + IN_ORDER + " LIMIT 1 OFFSET ?");

    public String waitingFor(boolean bounded) {
        return of("SELECT d.message_id, d.seq, d.lane, d.shard, d.handler_group,"
                + " m.type, m.aggregate_type, m.aggregate_id FROM outbox_delivery d JOIN "
                + messageOf("d.seq", " AND m.id = d.message_id") + " WHERE " + AFTER + (bounded ? " AND " + UNTIL : "")
                + " AND d.handler = ? AND d.state + 0 = 0 AND NOT EXISTS (" + inUse("d.handler", "m.type") + ")"
                + IN_ORDER + " LIMIT ?");
    }

    /** No index leads to the deliveries of a handler. The last parameter is how many of all deliveries are read. */
    public final String countWaitingFor =
            of("SELECT COUNT(*) AS seen, SUM(t.waits) AS found FROM (SELECT CASE WHEN handler = ?"
                    + " AND state = 0 THEN 1 ELSE 0 END AS waits FROM outbox_delivery LIMIT ?) t");

    public final String inUse = of(inUse("?", "?"));
    public final String registrations = of("SELECT type, retired FROM outbox_handler WHERE handler = ? ORDER BY type");
    public final String retire =
            of("UPDATE outbox_handler SET retired = 1 WHERE type = ? AND handler = ? AND retired = 0");
}
