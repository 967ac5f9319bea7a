package io.outboxed.internal.store.cluster;

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** Which node relays which shard. One method, one transaction. */
public interface ShardLeases {

    /** All shards. */
    default List<Lease> all() {
        return all(() -> false);
    }

    /** @param isLate asked before each further transaction that this may need: whether the rest waits for the next time */
    List<Lease> all(BooleanSupplier isLate);

    /**
     * Takes a shard if it is still as observed, at the next epoch; a row that is locked elsewhere is skipped.
     *
     * @return the new epoch
     */
    OptionalLong take(Lease observed, String newOwner);

    /**
     * Gives a shard directly to another live node, at the next epoch.
     *
     * @return false if it was not held
     */
    boolean handOver(Lease lease, String newOwner);

    /**
     * Releases these shards (owner null, next epoch) in one transaction; those that are not held, and those whose row
     * another transaction has locked, are skipped.
     */
    void release(Collection<Lease> leases);
}
