package io.outboxed.bench.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** Handled outside a transaction by a handler that fails at once and for good if the text is {@code poison}. */
@EventType("bench.spoiled")
public record Spoiled(@AggregateId long aggregate, String text) {}
