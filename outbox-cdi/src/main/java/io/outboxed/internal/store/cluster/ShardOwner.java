package io.outboxed.internal.store.cluster;

/** A row of outbox_shard; owner is null where the last one left cleanly. */
public record ShardOwner(int shard, String owner, long epoch) {}
