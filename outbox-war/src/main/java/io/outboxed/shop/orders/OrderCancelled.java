package io.outboxed.shop.orders;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** The customer changed their mind; follows {@link OrderPlaced} of the same order. */
@EventType("order.cancelled")
public record OrderCancelled(@AggregateId long orderId, String customer, String item, int quantity) {}
