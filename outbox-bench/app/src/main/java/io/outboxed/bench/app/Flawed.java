package io.outboxed.bench.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** Handled outside a transaction by a handler that fails each time for one aggregate in a hundred. */
@EventType("bench.flawed")
public record Flawed(@AggregateId long aggregate, String text) {}
