package io.outboxed.shop.orders;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** An order was accepted. */
@EventType("order.placed")
public record OrderPlaced(@AggregateId long orderId, String customer, String item, int quantity) {}
