package io.outboxed.bench.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/**
 * Handled in a transaction by a handler that inserts one row, and fails at once and for good if the text is
 * {@code poison}.
 */
@EventType("bench.spoiled-entry")
public record SpoiledEntry(@AggregateId long aggregate, String text) {}
