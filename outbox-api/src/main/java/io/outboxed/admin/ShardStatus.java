package io.outboxed.admin;

/**
 * A shard: the aggregates whose ids hash to it. One node relays it, unless nodes share it.
 *
 * @param number 0 or more
 * @param owner the {@link NodeStatus#owner()} of the node that relays it, live or not; null if the shard was released,
 *     {@code advisory-lock} or {@code row-lock} if nodes with this {@code outbox.relay.claim} share it
 * @param epoch rises whenever the owner changes
 */
public record ShardStatus(int number, String owner, long epoch) {}
