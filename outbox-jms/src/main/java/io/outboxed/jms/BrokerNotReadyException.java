package io.outboxed.jms;

import io.outboxed.internal.handlers.DeferredDeliveryException;

/** An event can't be sent now. */
class BrokerNotReadyException extends DeferredDeliveryException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final String kind;
    private final String details;

    /**
     * @param name the JNDI name of what is at fault: the connection factory or a destination
     * @param kind continues the name to a sentence; does not change while the problem lasts
     * @param details the rest of it
     */
    BrokerNotReadyException(String name, String kind, String details) {
        super(
                "OUTBOX-0822",
                "an event was not forwarded by JMS: " + name + " " + kind + details
                        + ". It waits and is sent again; no attempt is counted");
        this.name = name;
        this.kind = kind;
        this.details = details;
    }

    BrokerNotReadyException(String name, String problem, Throwable cause) {
        this(name, problem + ": " + cause.getClass().getName(), ": " + cause.getMessage());
    }

    String name() {
        return name;
    }

    String kind() {
        return kind;
    }

    String problem() {
        return name + " " + kind + details;
    }
}
