package io.outboxed.internal.store;

/**
 * The statements of one delivery inside the transaction that runs its handler: mark the row first, settle the marked row
 * last, both by primary key. Any count but one throws {@link LostMarkException}, and the transaction must roll back: the
 * row was settled elsewhere, or the database has rolled back in secret (MySQL after a deadlock).
 */
public interface DeliveryFacts {

    /** {@code attempts = version} becomes {@code version + 1}. */
    void mark(Head head);

    /** Requires {@code attempts = version + 1}; where the row stays, it becomes {@code version + 2}. */
    void settle(Head head, String handler, Settlement how);
}
