package io.outboxed.kafka;

import io.outboxed.internal.handlers.DeferredDeliveryException;

/** Kafka can't take events now. */
final class BrokerNotReadyException extends DeferredDeliveryException {
    private static final long serialVersionUID = 1L;

    BrokerNotReadyException(String message) {
        super("OUTBOX-0803", message);
    }
}
