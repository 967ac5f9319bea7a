/**
 * Writes that are collected and made together.
 *
 * <p>Start with {@code FencedWriteBufferTest}: outages and errors. What holds up only its own writes: a locked row in
 * {@code LockedRowWritesTest}, a locked or lost shard in {@code LockedShardWritesTest}, a full disk in
 * {@code FullDiskWritesTest}. What such a transaction stores is tested by {@code FencedWritesContract} and
 * {@code DecisionsTogetherContract} in {@code store}.
 *
 * <p>Fixture: {@code FencedWritesFixture} is a buffer, and a database that refuses what the test says.
 */
package io.outboxed.internal.relay.writes;
