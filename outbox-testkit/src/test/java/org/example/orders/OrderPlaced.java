package org.example.orders;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

@EventType("order.placed")
public record OrderPlaced(@AggregateId String order, int quantity) {}
