package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxException;
import io.outboxed.internal.log.FailureText;

/** A stored message that this deployment can't decode to its handler's event: no further attempt can succeed. */
public final class UnreadableMessageException extends OutboxException {
    private static final long serialVersionUID = 1L;

    /** @param cause only its classes and stack traces are kept, because a codec quotes what it can't read */
    UnreadableMessageException(String message, Throwable cause) {
        super("OUTBOX-0544", message, FailureText.withoutMessages(cause));
    }
}
