package io.outboxed.internal.store.cluster;

/**
 * A live node as others see it.
 *
 * @param registryVersion the handler registry's version that the node knew when it joined: a later deployment has a
 *     higher one
 * @param beat a counter that the node raises while it lives; only whether it has changed matters
 */
public record NodeBeat(String owner, String label, long registryVersion, long beat) {}
