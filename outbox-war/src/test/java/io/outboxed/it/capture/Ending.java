package io.outboxed.it.capture;

/** How a business transaction ends after its work. */
public enum Ending {
    COMMIT,
    THROW,
    ROLLBACK_ONLY,
    /** The provider's flush at the commit is refused by the database. */
    REFUSED_FLUSH,
    /** The database refuses a row of the outbox at the commit, after it has taken others. */
    REFUSED_OUTBOX_ROW,
    /** A synchronization of somebody else throws before the completion. */
    FAILED_BEFORE_COMPLETION,
    /** A synchronization of somebody else marks the transaction before the completion. */
    MARKED_BEFORE_COMPLETION
}
