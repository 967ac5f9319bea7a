package io.outboxed.internal.store;

/** One handler of one event type. */
public record HandlerKey(String type, String handler) {}
