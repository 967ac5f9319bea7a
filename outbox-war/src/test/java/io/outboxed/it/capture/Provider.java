package io.outboxed.it.capture;

/** Whose persistence unit the business data is in. */
enum Provider {
    /** As the outbox's own unit. */
    HIBERNATE,
    /** Payara's own. */
    ECLIPSELINK
}
