package io.outboxed.it.capture;

/** How a business transaction ends after its work. */
enum Ending {
    COMMIT,
    THROW,
    ROLLBACK_ONLY,
    /** The provider's flush at the commit is refused by the database. */
    REFUSED_FLUSH
}
