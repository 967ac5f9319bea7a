package io.outboxed.it.capture;

/** How a business transaction ends after its work. */
public enum Ending {
    COMMIT,
    THROW,
    ROLLBACK_ONLY,
    /** The database refuses the provider's flush at the commit. */
    REFUSED_FLUSH,
    /** The database refuses a row of the outbox at the commit, after it has accepted others. */
    REFUSED_OUTBOX_ROW,
    /** Another synchronization throws before the completion. */
    FAILED_BEFORE_COMPLETION,
    /** Another synchronization marks the transaction for rollback before the completion. */
    MARKED_BEFORE_COMPLETION
}
