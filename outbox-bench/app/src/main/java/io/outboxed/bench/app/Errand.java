package io.outboxed.bench.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** Handled outside a transaction by a handler that takes 2 ms, as a call over the network would. */
@EventType("bench.errand")
public record Errand(@AggregateId long aggregate, String text) {}
