package io.outboxed.jms;

import io.outboxed.internal.handlers.NotNowException;

/** The node's lease ended before an event was sent; nothing is known about the broker. */
final class LeaseEndedException extends NotNowException {
    private static final long serialVersionUID = 1L;

    LeaseEndedException(String problem) {
        super(
                "OUTBOX-0822",
                "an event was not forwarded by JMS: " + problem
                        + ". It waits and is sent again; no attempt is counted");
    }
}
