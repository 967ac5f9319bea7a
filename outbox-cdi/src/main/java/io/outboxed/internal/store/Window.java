package io.outboxed.internal.store;

/** Which READY rows of a shard to read: those with a seq above the mark, the lowest first. */
public record Window(int shard, long above, int limit) {}
