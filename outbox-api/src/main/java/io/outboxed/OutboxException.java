package io.outboxed;

/**
 * Reports what the outbox rejects or could not do. The message says what happened, with values, and what to do; it
 * never contains a payload, a header's value or a password.
 *
 * <p>{@link #code()} is stable and never reused for anything else. The page {@code docs/log-ids.md} of the project
 * lists all codes.
 */
public class OutboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The code. */
    private final String code;

    /**
     * An exception without a cause.
     *
     * @param code for example {@code OUTBOX-0101}, not null
     * @param message what happened and what to do, without the code
     */
    public OutboxException(String code, String message) {
        this(code, message, null);
    }

    /**
     * An exception with its cause.
     *
     * @param code for example {@code OUTBOX-0101}, not null
     * @param message what happened and what to do, without the code
     * @param cause the cause, null for none
     */
    public OutboxException(String code, String message, Throwable cause) {
        super(code + " " + message, cause);
        this.code = code;
    }

    /**
     * The error code, with which {@link #getMessage()} begins.
     *
     * @return {@code OUTBOX-} and four digits
     */
    public String code() {
        return code;
    }
}
