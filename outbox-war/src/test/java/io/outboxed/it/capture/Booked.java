package io.outboxed.it.capture;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** An event without a handler: it stays in its table. */
@EventType("account.booked")
public record Booked(@AggregateId String account, String key) {}
