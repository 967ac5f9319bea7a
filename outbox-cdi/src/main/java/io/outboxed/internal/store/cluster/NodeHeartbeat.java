package io.outboxed.internal.store.cluster;

/**
 * A live node as others see it.
 *
 * @param registryVersion the handler registry's version that added the newest of the node's own handlers: a node that
 *     lacks newer handlers has a lower one, even if it joins later
 * @param beat a counter that the node raises while it lives; only whether it has changed matters
 */
public record NodeHeartbeat(String owner, String label, long registryVersion, long beat) {}
