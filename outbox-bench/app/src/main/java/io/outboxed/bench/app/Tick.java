package io.outboxed.bench.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** Handled outside a transaction by a handler that does nothing. */
@EventType("bench.tick")
public record Tick(@AggregateId long aggregate, String text) {}
