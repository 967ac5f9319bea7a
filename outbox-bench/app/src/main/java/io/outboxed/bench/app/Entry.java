package io.outboxed.bench.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** Handled in a transaction by a handler that inserts one row. */
@EventType("bench.entry")
public record Entry(@AggregateId long aggregate, String text) {}
