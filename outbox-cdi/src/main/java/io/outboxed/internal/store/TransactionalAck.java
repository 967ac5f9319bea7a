package io.outboxed.internal.store;

/**
 * The statements of one delivery inside the transaction that runs its handler: mark the row first, settle the marked row
 * last, both by primary key. Any count but one throws {@link ClaimLostException}, and the transaction must roll back: the
 * row was settled elsewhere, or the database has rolled back in secret (MySQL after a deadlock).
 */
public interface TransactionalAck {

    /** Requires the head's version, which becomes {@code version + 1}. */
    void mark(MessageHead head);

    /** Requires the head's {@code version + 1}; where the row stays, it becomes {@code version + 2}. */
    void acknowledge(MessageHead head, String handler, AckMode how);
}
