package io.outboxed.it.executor;

import io.outboxed.EventType;

/** Somebody has rung. */
@EventType("it.rung")
public record Rung(int times) {}
