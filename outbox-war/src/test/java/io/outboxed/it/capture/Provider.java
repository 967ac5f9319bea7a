package io.outboxed.it.capture;

/** The provider of the persistence unit that holds the business data. */
public enum Provider {
    /** The provider of the outbox's own unit. */
    HIBERNATE,
    /** The server's own provider, on some servers another Hibernate. */
    SERVERS_OWN
}
