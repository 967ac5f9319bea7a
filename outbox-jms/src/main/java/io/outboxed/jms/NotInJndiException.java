package io.outboxed.jms;

/**
 * A name that JNDI does not have, that can't be looked up, or that refers to something else. To look it up again shows
 * whether that is over.
 */
final class NotInJndiException extends BrokerNotReadyException {
    private static final long serialVersionUID = 1L;

    NotInJndiException(String name, String kind, String details) {
        super(name, kind, details);
    }

    NotInJndiException(String name, String problem, Throwable cause) {
        super(name, problem, cause);
    }
}
