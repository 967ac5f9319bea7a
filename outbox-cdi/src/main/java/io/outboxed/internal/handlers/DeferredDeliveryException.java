package io.outboxed.internal.handlers;

import io.outboxed.OutboxException;

/**
 * A delivery can't be made now: it is deferred, and no attempt is counted. It has no stack trace, because an outage has
 * many of them and its message says all.
 */
public abstract class DeferredDeliveryException extends OutboxException {
    private static final long serialVersionUID = 1L;

    protected DeferredDeliveryException(String code, String message) {
        super(code, message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
