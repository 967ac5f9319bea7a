package io.outboxed.bench.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** Handled in a transaction by a handler that inserts one row, and fails each time for one aggregate in a hundred. */
@EventType("bench.flawed-entry")
public record FlawedEntry(@AggregateId long aggregate, String text) {}
