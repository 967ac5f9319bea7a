package io.outboxed.bench.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/**
 * Published at its due time, to measure how long it travels.
 *
 * @param index its position in the run
 */
@EventType("bench.paced")
public record Paced(@AggregateId long aggregate, int index, String text) {}
