package io.outboxed.shop;

import io.outboxed.OutboxMessage;
import io.outboxed.shop.orders.OrderPlaced;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** In the server: a handler whose first attempt fails for one item, and would be followed by another after an hour. */
@ApplicationScoped
public class Postman {
    static final String HANDLER = "Postman.deliver";
    static final String ITEM = "postcard";
    static final String SETTINGS = "outbox.retry.\"" + HANDLER + "\".initial-delay=1h\n"
            + "outbox.retry.\"" + HANDLER + "\".max-delay=1h\n"
            + "outbox.retry.\"" + HANDLER + "\".jitter=false\n";

    @Transactional(TxType.NOT_SUPPORTED)
    void deliver(@Observes OrderPlaced order, OutboxMessage message) {
        if (order.item().equals(ITEM) && message.attempt() == 1) {
            throw new IllegalStateException("nobody was at home for order " + order.orderId());
        }
    }
}
