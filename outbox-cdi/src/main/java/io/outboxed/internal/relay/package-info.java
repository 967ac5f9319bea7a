/**
 * Who works on what, in which order, and what happens with each outcome. Knows the store and the JDK, not the container.
 *
 * <p>One thread, the loop, owns all lanes: {@link io.outboxed.internal.relay.Relay#turn()} reads, dispatches and decides;
 * workers only call handlers and report. {@link io.outboxed.internal.relay.Membership} holds the shards on a thread of its
 * own. {@link io.outboxed.internal.relay.RelayNode} puts them together.
 */
package io.outboxed.internal.relay;
