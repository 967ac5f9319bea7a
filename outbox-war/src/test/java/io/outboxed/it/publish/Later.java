package io.outboxed.it.publish;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

@EventType("it.later")
public record Later(@AggregateId String id) {}
