package io.outboxed;

/** Something that the outbox refuses or could not do; {@link #code()} is stable and never used for anything else. */
public class OutboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    public OutboxException(String code, String message) {
        this(code, message, null);
    }

    public OutboxException(String code, String message, Throwable cause) {
        super(code + " " + message, cause);
        this.code = code;
    }

    /** For example {@code OUTBOX-0101}. */
    public String code() {
        return code;
    }
}
