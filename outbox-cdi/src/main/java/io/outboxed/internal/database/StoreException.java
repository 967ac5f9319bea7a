package io.outboxed.internal.database;

/** A statement failed; says which verb and which table, never a payload. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final boolean transientFailure;

    public StoreException(String message, boolean transientFailure, Throwable cause) {
        super(message, cause);
        this.transientFailure = transientFailure;
    }

    /** Worth repeating: deadlock, lock timeout, serialisation, lost connection. By vendor code first. */
    public boolean isTransient() {
        return transientFailure;
    }

    /** Only because a row is locked by another transaction, possibly for long: the rest need not wait for it. */
    public boolean isHeld() {
        return SqlFailure.isLocked(getCause());
    }
}
