/**
 * The single thread that decides which handler is called when, and what follows from each outcome. Nothing here is
 * thread-safe except the {@link io.outboxed.internal.relay.Mailbox}, through which other threads reach it.
 *
 * <p>Start at {@link io.outboxed.internal.relay.loop.RelayLoop#iterate()}.
 */
package io.outboxed.internal.relay.loop;
