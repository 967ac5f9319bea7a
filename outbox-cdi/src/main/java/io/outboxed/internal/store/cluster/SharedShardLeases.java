package io.outboxed.internal.store.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The shards as seen by a node that claims lanes. Nodes that do so in the same way share their shards: these have one
 * owner, from which no other node takes them, and each of the nodes relays all of them.
 */
public final class SharedShardLeases implements ShardLeases {
    private final ShardLeases shards;
    private final String sharedOwner;
    private final Supplier<String> me;

    /** @param me the owner id of this node; null before it has joined, and without a session */
    public SharedShardLeases(ShardLeases shards, ClaimStrategy claim, Supplier<String> me) {
        this.shards = shards;
        this.sharedOwner = claim.shardOwner();
        this.me = me;
    }

    /**
     * Shards that a node with leases has handed to this node are shared from then on. Those for which it is too late
     * now, the next time.
     */
    @Override
    public List<Lease> all(BooleanSupplier isLate) {
        String owner = me.get();
        List<Lease> seen = new ArrayList<>();
        boolean shared = false;
        for (Lease shard : shards.all()) {
            if (owner != null && owner.equals(shard.owner())) {
                // seen in the next round, with its new epoch
                if (!shared || !isLate.getAsBoolean()) {
                    // one whose row is locked must not hold up the others
                    shared |= share(shard);
                }
            } else {
                seen.add(
                        owner != null && sharedOwner.equals(shard.owner())
                                ? new Lease(shard.shard(), owner, shard.epoch())
                                : shard);
            }
        }
        return seen;
    }

    private boolean share(Lease shard) {
        try {
            return shards.handOver(shard, sharedOwner);
        } catch (ShardLockedException e) {
            // the next time
            return false;
        }
    }

    @Override
    public OptionalLong take(Lease observed, String newOwner) {
        return shards.take(observed, sharedOwner);
    }

    @Override
    public boolean handOver(Lease lease, String newOwner) {
        return false;
    }

    /** The other nodes continue. */
    @Override
    public void release(Collection<Lease> leases) {}
}
