package io.outboxed.it.batch;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** An event of a counter. */
@EventType("it.counted")
public record Counted(@AggregateId String counter, int number) {}
