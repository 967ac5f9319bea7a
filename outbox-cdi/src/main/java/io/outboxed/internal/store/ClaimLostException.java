package io.outboxed.internal.store;

/** The delivery's row is not as this transaction marked it; nothing may be committed and no attempt is burnt. */
public final class ClaimLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClaimLostException(String message) {
        super(message);
    }
}
