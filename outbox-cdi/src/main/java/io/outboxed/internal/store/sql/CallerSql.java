package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;

/** What is done in the transaction of the caller: locks of aggregates, published messages, the inbox. */
public final class CallerSql extends StoreSql {
    public CallerSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    public final String lockSlot = of("SELECT slot FROM outbox_lock WHERE slot = ? FOR UPDATE");

    public final String stored = of("SELECT 1 AS one FROM outbox_message WHERE id = ?"
            + " UNION ALL SELECT 1 AS one FROM outbox_dead WHERE message_id = ?");
    /** The delay of a replay is 0. */
    private final String notStarted =
            " AND m.status <> 3 AND m.delay_micros > 0 AND :created + m.delay_micros > " + statementNow();

    public final String cancellable = of("SELECT m.seq FROM outbox_message m WHERE m.id = ?" + notStarted);
    public final String cancel = dialect().asOfNow()
            + of((dialect().isMySqlFamily() ? "DELETE m FROM " : "DELETE FROM ")
                    + "outbox_message m WHERE m.seq = ? AND m.id = ?" + notStarted);

    /** H2's CURRENT_TIMESTAMP is that of the start of the transaction. */
    private String statementNow() {
        return dialect() == Dialect.H2
                ? "(SELECT CAST(EXTRACT(EPOCH FROM s.executing_statement_start) * 1000000 AS BIGINT)"
                        + " FROM information_schema.sessions s WHERE s.session_id = SESSION_ID())"
                : ":now";
    }

    public final String addReceived = of(dialect().asOfNow()
            + "INSERT INTO outbox_inbox (receiver, message_id, first_call, received_at) VALUES (?, ?, ?, :now)"
            + dialect().ignoreDuplicate("receiver"));
    private static final String SAME_MESSAGE = "receiver = ? AND message_id = ?";
    private final String firstCall = of("SELECT first_call FROM outbox_inbox WHERE " + SAME_MESSAGE);
    /** The snapshot of MySQL and MariaDB may be older than the row. */
    public final String received =
            dialect().isMySqlFamily() ? dialect().asOfNow() + firstCall + " FOR UPDATE" : firstCall;

    public String firstCalls(int messages) {
        return firstCall + (" OR " + SAME_MESSAGE).repeat(messages - 1);
    }
}
