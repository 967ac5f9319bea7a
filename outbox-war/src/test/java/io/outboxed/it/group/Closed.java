package io.outboxed.it.group;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

@EventType("account.closed")
public record Closed(@AggregateId String account) {}
