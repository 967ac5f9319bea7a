package io.outboxed.internal.store;

import io.outboxed.admin.StoredEvent.MessageState;

/** The success of a handler outside a transaction, to be recorded. */
public record Ack(MessageHead head, String handler, AckMode ackMode) {

    /**
     * The relay would go on with the next event, and the one whose success is lost would come after it.
     *
     * @throws ClaimLostException if this must not be recorded
     */
    public void requireNothingLost(MessageState status, int version) {
        head.lostFrom(status, version).ifPresent(lost -> {
            throw new ClaimLostException(lost);
        });
    }
}
