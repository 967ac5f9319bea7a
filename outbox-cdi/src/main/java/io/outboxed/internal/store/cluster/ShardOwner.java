package io.outboxed.internal.store.cluster;

/** A row of outbox_shard; owner is null after a clean release. */
public record ShardOwner(int shard, String owner, long epoch) {

    /** Nodes that claim lanes share it; no node takes it. */
    public boolean isReserved() {
        return ClaimStrategy.ofShard(owner).isPresent();
    }
}
