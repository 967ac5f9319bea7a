package io.outboxed.jms;

import io.outboxed.internal.handlers.NotNowException;

/** An event can't be sent now. */
final class BrokerNotReadyException extends NotNowException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final String problem;

    /**
     * @param name the JNDI name of what is at fault: the connection factory or a destination
     * @param problem continues the name to a sentence
     */
    BrokerNotReadyException(String name, String problem) {
        super(
                "OUTBOX-0822",
                "an event was not forwarded by JMS: " + name + " " + problem
                        + ". It waits and is sent again; no attempt is counted");
        this.name = name;
        this.problem = problem;
    }

    String name() {
        return name;
    }

    String problem() {
        return name + " " + problem;
    }
}
