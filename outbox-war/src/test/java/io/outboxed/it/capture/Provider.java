package io.outboxed.it.capture;

/** Whose persistence unit the business data is in. */
public enum Provider {
    /** As the outbox's own unit. */
    HIBERNATE,
    /** The server's own, on some servers another Hibernate. */
    SERVERS_OWN
}
