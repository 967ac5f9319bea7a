/**
 * The one thread that decides which handler is called when, and what follows from each outcome. Nothing here is
 * thread-safe but the {@link io.outboxed.internal.relay.loop.Mailbox}, its door for other threads.
 *
 * <p>Start at {@link io.outboxed.internal.relay.loop.RelayLoop#turn()}.
 */
package io.outboxed.internal.relay.loop;
