/**
 * Writes that are collected and made together.
 *
 * <p>Start with {@code FencedWriteBufferTest}: outages, lost leases, locked rows. What such a transaction stores is
 * tested by {@code FencedWritesContract} and {@code DecisionsTogetherContract} in {@code store}.
 */
package io.outboxed.internal.relay.writes;
