package io.outboxed.internal.store;

/** A success to record outside any delivery transaction. */
public record Ack(MessageHead head, String handler, AckMode how) {}
