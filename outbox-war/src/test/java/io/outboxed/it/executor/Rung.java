package io.outboxed.it.executor;

import io.outboxed.EventType;

/** The bell has been rung. */
@EventType("it.rung")
public record Rung(int times) {}
