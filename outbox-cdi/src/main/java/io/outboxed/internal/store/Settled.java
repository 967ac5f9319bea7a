package io.outboxed.internal.store;

/** A success to record outside any delivery transaction. */
public record Settled(Head head, String handler, Settlement how) {}
