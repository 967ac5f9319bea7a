package org.example.orders;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

@EventType("order.shipped")
public record OrderShipped(@AggregateId String order) {}
