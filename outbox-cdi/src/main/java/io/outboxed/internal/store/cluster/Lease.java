package io.outboxed.internal.store.cluster;

/**
 * Who holds a shard; the epoch changes whenever the owner does.
 *
 * @param owner null after a clean release
 */
public record Lease(int shard, String owner, long epoch) {

    /** Nodes that claim lanes share it; no node takes it. */
    public boolean isShared() {
        return ClaimStrategy.ofShard(owner).isPresent();
    }
}
