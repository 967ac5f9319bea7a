package io.outboxed.internal.store.cluster;

import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import java.sql.SQLTransientException;

/** Another transaction has locked the shard row, possibly for long: no decision of this shard can be stored now. */
public final class ShardLockedException extends StoreException {
    private static final long serialVersionUID = 1L;
    private final transient Lease lease;

    public ShardLockedException(Lease lease) {
        super(
                "the row of shard " + lease.shard() + " is locked by another transaction",
                true,
                new SQLTransientException("locked", SqlFailure.LOCK_NOT_AVAILABLE));
        this.lease = lease;
    }

    public Lease lease() {
        return lease;
    }
}
