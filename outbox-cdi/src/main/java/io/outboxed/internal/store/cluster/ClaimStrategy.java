package io.outboxed.internal.store.cluster;

import java.util.List;
import java.util.Optional;

/** How nodes get the right to a lane. Nodes that claim lanes in the same way share their shards. */
public enum ClaimStrategy {
    /** By the lease of its shard: no lane is claimed, and no shard shared. */
    SHARDS(null, null),
    /** By locks of the node's session. */
    ADVISORY_LOCK("advisory-lock", "locks-"),
    /** By rows of a table. */
    ROW_LOCK("row-lock", "rows-");

    private static final List<ClaimStrategy> OF_LANES = List.of(ADVISORY_LOCK, ROW_LOCK);

    private final String shardOwner;
    private final String nodePrefix;

    ClaimStrategy(String shardOwner, String nodePrefix) {
        this.shardOwner = shardOwner;
        this.nodePrefix = nodePrefix;
    }

    /** The owner of their shards. It is no node, and never dies. */
    public String shardOwner() {
        return shardOwner;
    }

    /** As the shard's row has it. */
    public Lease stored(Lease lease) {
        return new Lease(lease.shard(), shardOwner, lease.epoch());
    }

    /** Begins the owner id of each of these nodes. */
    public String nodePrefix() {
        return nodePrefix;
    }

    /** Of the nodes that share a shard with this owner. */
    public static Optional<ClaimStrategy> ofShard(String owner) {
        return OF_LANES.stream().filter(claim -> claim.shardOwner.equals(owner)).findFirst();
    }

    public static Optional<ClaimStrategy> ofNode(String owner) {
        return OF_LANES.stream()
                .filter(claim -> owner.startsWith(claim.nodePrefix))
                .findFirst();
    }
}
