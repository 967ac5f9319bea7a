package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Runs transactions that only the holder of a lease can commit. */
public interface Fence {

    /**
     * @param lanes all lanes that the decision is about, by the leases of their shards
     * @throws LeaseLostException with the first lease that this node does not hold; nothing was changed
     * @throws ShardLockedException with the first lease whose row another transaction has locked; nothing was changed
     */
    <T> T decide(Map<Lease, List<Long>> lanes, Connections.Work<T> work);

    /**
     * Makes the rest of the transaction a decision of the holder of these leases. Does not wait for a row: the
     * transaction that has locked it may be frozen, and the relay's loop has other work.
     *
     * @param stored the lease as it is in the row
     * @param lockFree a query that locks the rows of shards, and skips those that are locked
     * @param read the same without locks
     */
    static void lock(
            Jdbc jdbc,
            Collection<Lease> leases,
            UnaryOperator<Lease> stored,
            Function<List<Integer>, String> lockFree,
            Function<List<Integer>, String> read)
            throws SQLException {
        Set<Lease> locked = leases(jdbc, lockFree, leases);
        for (Lease lease : leases) {
            if (!locked.contains(stored.apply(lease))) {
                throw leases(jdbc, read, List.of(lease)).contains(stored.apply(lease))
                        ? new ShardLockedException(lease)
                        : new LeaseLostException(lease);
            }
        }
    }

    private static Set<Lease> leases(Jdbc jdbc, Function<List<Integer>, String> query, Collection<Lease> leases)
            throws SQLException {
        List<Integer> shards = leases.stream().map(Lease::shard).sorted().toList();
        return new HashSet<>(jdbc.list(query.apply(shards), Fence::lease));
    }

    static Lease lease(ResultSet row) throws SQLException {
        return new Lease(row.getInt("shard"), row.getString("owner"), row.getLong("epoch"));
    }
}
