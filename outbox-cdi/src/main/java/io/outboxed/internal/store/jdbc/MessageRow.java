package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.MessageHead;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.UUID;

/** A message row that this transaction has locked. */
record MessageRow(MessageHead.Status status, int shard, long lane) {
    private static final String HELD = "held by another transaction";

    /** This message, and no other row, is what another transaction has locked. */
    private static final class HeldException extends SQLTransientException {
        private static final long serialVersionUID = 1L;
        private static final String LOCK_NOT_AVAILABLE = "55P03";

        HeldException(Throwable cause) {
            super(HELD, LOCK_NOT_AVAILABLE, cause);
        }
    }

    /**
     * Does not wait: the transaction that holds the row may be frozen or in doubt for hours, and the relay's loop has
     * other work.
     *
     * @return empty if the message is gone
     */
    static Optional<MessageRow> lock(Jdbc jdbc, Sql sql, MessageHead head) throws SQLException {
        return lock(jdbc, sql, head.seq(), head.id());
    }

    static Optional<MessageRow> lock(Jdbc jdbc, Sql sql, long seq, UUID id) throws SQLException {
        Optional<MessageRow> locked = read(jdbc, sql.lockFreeMessage, seq, id);
        if (locked.isEmpty() && read(jdbc, sql.hasMessage, seq, id).isPresent()) {
            throw new HeldException(null);
        }
        return locked;
    }

    static StoreException held(String what) {
        return held(what, null);
    }

    /** @param cause how the database said it */
    static StoreException held(String what, StoreException cause) {
        return new StoreException(what + " is " + HELD, true, new HeldException(cause));
    }

    /** Whether a message is what another transaction has locked, and not the row of a shard, for example. */
    static boolean isHeld(StoreException failure) {
        return failure.getCause() instanceof HeldException;
    }

    private static Optional<MessageRow> read(Jdbc jdbc, String text, long seq, UUID id) throws SQLException {
        return jdbc.first(
                text,
                row -> new MessageRow(
                        MessageHead.Status.of(row.getInt("status")), row.getInt("shard"), row.getLong("lane")),
                seq,
                id);
    }
}
