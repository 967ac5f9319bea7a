package io.outboxed.bench.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/**
 * Published at its time, to measure how long it travels.
 *
 * @param index which one of the run
 */
@EventType("bench.paced")
public record Paced(@AggregateId long aggregate, int index, String text) {}
