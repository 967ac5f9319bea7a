package io.outboxed.internal.database;

/** A statement failed. The message names its verb and table, never a payload. */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final boolean transientFailure;

    public StoreException(String message, boolean transientFailure, Throwable cause) {
        super(message, cause);
        this.transientFailure = transientFailure;
    }

    /** The same failure, and which one of many could not be changed. */
    public StoreException about(String what) {
        StoreException named = new StoreException(what + ": " + getMessage(), transientFailure, getCause());
        named.setStackTrace(getStackTrace());
        for (Throwable each : getSuppressed()) {
            named.addSuppressed(each);
        }
        return named;
    }

    /** Whether it is worth repeating: deadlock, lock timeout, statement ended at its limit, lost connection. */
    public boolean isTransient() {
        return transientFailure;
    }

    /**
     * Whether the only reason is a row that another transaction has locked, possibly for long; other work need not
     * wait. A statement that the database has ended at its limit of time was slow: the wait for a row ends sooner.
     */
    public boolean isRowLocked() {
        return SqlFailure.isLocked(getCause());
    }

    /** Whether another server may answer next. */
    public boolean isConnectionLost() {
        return SqlFailure.isConnectionLost(getCause());
    }

    /** Whether the database refuses such a statement for any row: no disk or memory is left, or a right is missing. */
    public boolean isForAllRows() {
        return SqlFailure.isForAllRows(getCause());
    }
}
