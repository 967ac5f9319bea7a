package io.outboxed.internal.store;

/** The success of a handler outside a transaction, to be recorded. */
public record Ack(MessageHead head, String handler, AckMode ackMode) {}
