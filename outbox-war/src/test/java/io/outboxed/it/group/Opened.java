package io.outboxed.it.group;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

@EventType("account.opened")
public record Opened(@AggregateId String account) {}
