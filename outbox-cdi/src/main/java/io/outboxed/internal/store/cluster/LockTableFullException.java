package io.outboxed.internal.store.cluster;

import io.outboxed.internal.database.StoreException;

/** The database has no room for the locks that were asked for, and has locked none. What the session holds, it keeps. */
public final class LockTableFullException extends StoreException {
    private static final long serialVersionUID = 1L;

    public LockTableFullException(Throwable cause) {
        super("no room for more locks: " + cause.getMessage(), true, cause);
    }
}
