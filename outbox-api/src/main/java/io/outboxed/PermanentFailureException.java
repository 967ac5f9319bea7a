package io.outboxed;

/**
 * Thrown by a handler if no further attempt can succeed: the delivery becomes a {@link DeadLetter} immediately, unless
 * the application's {@link io.outboxed.spi.FailureClassifier} decides otherwise. Other handlers of the event are not
 * affected.
 */
public class PermanentFailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A failure without a cause.
     *
     * @param message why no attempt can succeed; stored as {@link DeadLetter#error()} and logged, so no secrets
     */
    public PermanentFailureException(String message) {
        super(message);
    }

    /**
     * A failure with its cause.
     *
     * @param message why no attempt can succeed; stored as {@link DeadLetter#error()} and logged, so no secrets
     * @param cause the cause, null for none
     */
    public PermanentFailureException(String message, Throwable cause) {
        super(message, cause);
    }
}
