package io.outboxed.internal.store;

/**
 * A live node as others see it.
 *
 * @param generation the handler registry's version that the node knew when it joined: a later deployment has a higher one
 * @param beat counts up while the node lives; only "has it changed" means something
 */
public record NodeBeat(String owner, String label, long generation, long beat) {}
