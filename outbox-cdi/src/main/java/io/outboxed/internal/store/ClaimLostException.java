package io.outboxed.internal.store;

/**
 * The delivery's row is not as this transaction has claimed it, or as an acknowledgement expects it: nothing may be
 * committed, and the attempt does not count.
 */
public final class ClaimLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClaimLostException(String message) {
        super(message);
    }
}
