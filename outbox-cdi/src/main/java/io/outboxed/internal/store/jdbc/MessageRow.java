package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageKey;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Locks and changes message rows. The relay does not wait for one: the transaction that holds it may be frozen or in
 * doubt for hours, and the relay's loop has other work.
 */
final class MessageRow {
    private static final String LOCKED = "held by another transaction";

    private MessageRow() {}

    /** This message, and no other row, is what another transaction has locked. */
    private static final class LockedMessageException extends SQLTransientException {
        private static final long serialVersionUID = 1L;

        LockedMessageException(Throwable cause) {
            super(LOCKED, SqlFailure.LOCK_NOT_AVAILABLE, cause);
        }
    }

    /** @return empty if the message is gone */
    static Optional<MessageState> lock(Jdbc jdbc, Sql sql, MessageHead head) throws SQLException {
        return lock(jdbc, sql, head.seq(), head.id());
    }

    static Optional<MessageState> lock(Jdbc jdbc, Sql sql, long seq, UUID id) throws SQLException {
        MessageKey key = new MessageKey(seq, id);
        return Optional.ofNullable(lock(jdbc, sql, List.of(key)).get(key)).map(LockedMessage::status);
    }

    /** @return those that are not gone */
    static Map<MessageKey, LockedMessage> lock(Jdbc jdbc, Sql sql, Collection<MessageKey> keys) throws SQLException {
        Map<MessageKey, LockedMessage> locked = MessageKeys.named(keys).lockFree(jdbc, sql).stream()
                .collect(Collectors.toMap(LockedMessage::key, Function.identity()));
        List<MessageKey> missing =
                keys.stream().filter(key -> !locked.containsKey(key)).toList();
        if (!MessageKeys.named(missing).existing(jdbc, sql).isEmpty()) {
            throw new LockedMessageException(null);
        }
        return locked;
    }

    /**
     * Waits for an operator's change, without the shard row, which the relay needs for other aggregates.
     *
     * @param seqOf finds the number of the message by its id and the handler
     */
    static void await(Connections on, Sql sql, String seqOf, UUID id, String handler) {
        try {
            on.transaction(jdbc -> {
                Optional<Long> seq = jdbc.first(seqOf, row -> row.getLong("seq"), id, handler);
                return seq.isPresent() && jdbc.exists(sql.messages.lockMessage, seq.get(), id);
            });
        } catch (StoreException e) {
            throw e.isRowLocked() ? locked("the message", e) : e;
        }
    }

    /** An operator has ended one of its deliveries: it waits for the others, or is gone with the last one. */
    static void splitOrDelete(Jdbc jdbc, Sql sql, long seq, UUID id) throws SQLException {
        boolean open = jdbc.exists(sql.deliveries.ofMessage, id, seq);
        jdbc.update(open ? sql.messages.splitMessage : sql.messages.deleteMessage, seq, id);
    }

    static StoreException locked(String what) {
        return locked(what, null);
    }

    /** @param cause how the database said it */
    static StoreException locked(String what, StoreException cause) {
        return new StoreException(what + " is " + LOCKED, true, new LockedMessageException(cause));
    }

    /** Whether a message is what another transaction has locked, and not the row of a shard, for example. */
    static boolean isLocked(StoreException failure) {
        return failure.getCause() instanceof LockedMessageException;
    }
}
