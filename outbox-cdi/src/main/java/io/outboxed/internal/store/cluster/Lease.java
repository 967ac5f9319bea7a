package io.outboxed.internal.store.cluster;

/** A shard in the hands of a node; the epoch changes whenever the owner does. */
public record Lease(int shard, String owner, long epoch) {}
