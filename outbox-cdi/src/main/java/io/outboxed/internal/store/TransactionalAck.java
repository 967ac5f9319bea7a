package io.outboxed.internal.store;

import java.util.List;

/**
 * The two statements of a delivery inside the handler's transaction: claim the row first, delete or update the claimed
 * row last, both by primary key. Any count but one throws {@link ClaimLostException}, and the transaction must roll
 * back: the row has been changed elsewhere, or the database has silently rolled back (MySQL after a deadlock).
 */
public interface TransactionalAck {

    /** Requires the head's version, and raises it to {@code version + 1}. */
    void claim(MessageHead head);

    /**
     * Requires the head's {@code version + 1}; if the row remains, its version becomes {@code version + 2}. The
     * transaction is about to commit and has nothing else left to do.
     */
    void acknowledge(MessageHead head, String handler, AckMode ackMode);

    /** Claims the rows of a batch, in their order; one lost claim loses all. */
    default void claim(List<MessageHead> heads) {
        heads.forEach(this::claim);
    }

    /** Acknowledges claimed rows of a batch, each for its last open handler ({@link AckMode#DELETE_MESSAGE}). */
    default void acknowledge(List<MessageHead> heads, String handler) {
        heads.forEach(head -> acknowledge(head, handler, AckMode.DELETE_MESSAGE));
    }
}
