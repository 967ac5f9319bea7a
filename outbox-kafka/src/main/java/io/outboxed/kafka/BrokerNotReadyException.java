package io.outboxed.kafka;

import io.outboxed.OutboxException;

/**
 * Kafka can't take events now. The engine knows this class by its name: the delivery is deferred and no attempt is
 * counted. It has no stack trace, because an outage has many of them and its message says all.
 */
final class BrokerNotReadyException extends OutboxException {
    private static final long serialVersionUID = 1L;

    BrokerNotReadyException(String message) {
        super("OUTBOX-0803", message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
