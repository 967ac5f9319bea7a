package io.outboxed.shop;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** In the server: a handler of events that are never published, so that it can be retired. */
@ApplicationScoped
public class Cellar {

    /** Nothing was stored so far. */
    @EventType("order.stored")
    public record Stored(@AggregateId long orderId) {}

    void store(@Observes Stored event) {
        throw new IllegalStateException("there is no room for order " + event.orderId());
    }
}
