package io.outboxed;

/** Thrown by a handler that knows that no further try can succeed: the delivery becomes a dead letter at once. */
public class PermanentFailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PermanentFailureException(String message) {
        super(message);
    }

    public PermanentFailureException(String message, Throwable cause) {
        super(message, cause);
    }
}
