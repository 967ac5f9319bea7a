package io.outboxed.it.policies;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

@EventType("document.filed")
public record Filed(@AggregateId String folder, int number) {}
