package io.outboxed.internal.handlers;

import io.outboxed.OutboxException;

/** A stored message that this deployment can't turn into its handler's event: no further try can succeed. */
final class UnreadableMessageException extends OutboxException {
    private static final long serialVersionUID = 1L;

    UnreadableMessageException(String message, Throwable cause) {
        super("OUTBOX-0544", message, cause);
    }
}
