package io.outboxed.internal.store.cluster;

/**
 * A live node as others see it.
 *
 * @param registryVersion the handler registry's version that the node knew when it joined: a later deployment has a higher one
 * @param beat counts up while the node lives; only "has it changed" means something
 */
public record NodeBeat(String owner, String label, long registryVersion, long beat) {}
