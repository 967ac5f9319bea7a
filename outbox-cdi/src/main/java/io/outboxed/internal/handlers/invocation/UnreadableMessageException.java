package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxException;

/** A stored message that this deployment can't decode to its handler's event: no further attempt can succeed. */
public final class UnreadableMessageException extends OutboxException {
    private static final long serialVersionUID = 1L;

    UnreadableMessageException(String message, Throwable cause) {
        super("OUTBOX-0544", message, cause);
    }
}
