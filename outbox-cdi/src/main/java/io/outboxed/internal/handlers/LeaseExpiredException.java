package io.outboxed.internal.handlers;

/**
 * Nothing was sent: the node's lease had ended, or would have before the answer. Nothing is known about the receiver. It
 * has no stack trace, because there is one of them per event.
 */
public final class LeaseExpiredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LeaseExpiredException(String problem) {
        super(problem, null, false, false);
    }
}
