package io.outboxed.internal.store.cluster;

import java.util.Arrays;
import java.util.Optional;

/** How nodes get the right to a lane, if its shard is none. Nodes of one kind share their shards. */
public enum ClaimStrategy {
    /** By locks of the node's session. */
    ADVISORY_LOCK("advisory-lock", "locks-"),
    /** By rows of a table. */
    ROW_LOCK("row-lock", "rows-");

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
        return Arrays.stream(values())
                .filter(claim -> claim.shardOwner.equals(owner))
                .findFirst();
    }

    public static Optional<ClaimStrategy> ofNode(String owner) {
        return Arrays.stream(values())
                .filter(claim -> owner.startsWith(claim.nodePrefix))
                .findFirst();
    }
}
