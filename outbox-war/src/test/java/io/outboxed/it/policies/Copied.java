package io.outboxed.it.policies;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

@EventType("document.copied")
public record Copied(@AggregateId String folder) {}
