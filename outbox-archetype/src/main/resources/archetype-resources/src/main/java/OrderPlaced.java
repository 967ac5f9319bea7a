package ${package};

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** The events of one order arrive in the order in which they were published. */
@EventType("order.placed")
public record OrderPlaced(@AggregateId String orderId, String item) {}
