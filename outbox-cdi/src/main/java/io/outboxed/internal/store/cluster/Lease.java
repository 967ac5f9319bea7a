package io.outboxed.internal.store.cluster;

/** A shard held by a node; the epoch changes whenever the owner does. */
public record Lease(int shard, String owner, long epoch) {}
