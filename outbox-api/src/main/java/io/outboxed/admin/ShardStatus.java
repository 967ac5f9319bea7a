package io.outboxed.admin;

/**
 * A shard: the aggregates whose ids hash to it. One node relays it.
 *
 * @param number 0 or more
 * @param owner the {@link NodeStatus#owner()} of the node that relays it, live or not; null if the shard was released,
 *     {@code advisory-lock} if nodes with {@code outbox.relay.claim=advisory-lock} share it
 * @param epoch rises whenever the owner changes
 */
public record ShardStatus(int number, String owner, long epoch) {}
