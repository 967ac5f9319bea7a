package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;

/** Deliveries. Sums keep PostgreSQL from scanning the index by lane, which contains the waiting ones. */
public final class DeliverySql extends StoreSql {
    public DeliverySql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    public final String ofMessage = of(
            "SELECT handler, handler_group, state FROM outbox_delivery WHERE message_id = ? AND seq = ? ORDER BY handler");

    public String ofMessages(int messages) {
        return of("SELECT message_id, seq, handler, handler_group, state FROM outbox_delivery WHERE message_id IN "
                + placeholders(messages));
    }

    public final String addDelivery = of(
            "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state, attempts, due_at,"
                    + " last_error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, :now + ?, ?)");
    public final String changeDelivery = of(
            "UPDATE outbox_delivery SET handler_group = ?, state = ?, attempts = ?, due_at = :now + ?, last_error = ?"
                    + " WHERE message_id = ? AND handler = ? AND seq = ?");
    public final String addDone = of("INSERT INTO outbox_delivery (message_id, handler, seq, lane, shard, state) "
            + (dialect() == Dialect.H2
                    ? "SELECT n.* FROM (VALUES (CAST(? AS UUID), ?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS"
                            + " SMALLINT), 1)) n (message_id, handler, seq, lane, shard, state) WHERE NOT EXISTS (SELECT 1"
                            + " FROM outbox_delivery d WHERE d.message_id = n.message_id AND d.handler = n.handler)"
                    : "VALUES (?, ?, ?, ?, ?, 1)" + dialect().ignoreDuplicate("seq")));
    public final String countAttempt = of("UPDATE outbox_delivery SET attempts = ?"
            + " WHERE message_id = ? AND handler = ? AND seq = ? AND state + 0 = 0");
    public final String deleteDelivery =
            of("DELETE FROM outbox_delivery WHERE message_id = ? AND handler = ? AND seq = ?");
    public final String deleteWaiting =
            of("DELETE FROM outbox_delivery WHERE message_id = ? AND handler = ? AND seq = ?" + " AND state + 0 = 0");
    public final String deleteDone = of("DELETE FROM outbox_delivery WHERE message_id = ? AND seq = ? AND state = 1");
    public final String deleteDeliveries = of("DELETE FROM outbox_delivery WHERE message_id = ? AND seq = ?");

    public final String waitingOf = of("SELECT seq, lane, shard, handler_group FROM outbox_delivery"
            + " WHERE message_id = ? AND handler = ? AND state = 0");
    private static final String MAKE_DUE =
            "UPDATE outbox_delivery SET due_at = :now WHERE message_id = ? AND handler = ? AND seq = ? AND state = 0";
    public final String makeDue = of(MAKE_DUE);
    public final String makeDueEarlier = of(MAKE_DUE + " AND due_at > :now");
}
