package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.sql.SQLException;
import java.util.Collection;

/** Runs transactions that only the holder of a lease can commit. */
public interface Fence {

    /**
     * @param lanes all lanes that the decision is about
     * @throws LeaseLostException if this node does not hold it; nothing was changed
     */
    <T> T decide(Lease lease, Collection<Long> lanes, Connections.Work<T> work);

    /**
     * Makes the rest of the transaction a decision of this lease's holder. Does not wait for the row: the transaction
     * that has locked it may be frozen, and the relay's loop has other work.
     *
     * @param lockIfFree selects the row and locks it, or skips it
     * @param row selects it without a lock
     */
    static void lock(Jdbc jdbc, String lockIfFree, String row, Lease lease) throws SQLException {
        if (!isHolder(jdbc, lockIfFree, lease)) {
            throw isHolder(jdbc, row, lease) ? new ShardLockedException(lease) : new LeaseLostException(lease);
        }
    }

    static boolean isHolder(Jdbc jdbc, String query, Lease lease) throws SQLException {
        return jdbc.first(
                        query,
                        row -> lease.owner().equals(row.getString("owner")) && lease.epoch() == row.getLong("epoch"),
                        lease.shard())
                .orElse(false);
    }
}
