package io.outboxed.shop;

import io.outboxed.OutboxMessage;
import io.outboxed.shop.orders.OrderCancelled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** In the server: a handler whose first attempt fails and whose second one, much later, does not. */
@ApplicationScoped
public class Courier {
    static final String SETTINGS = "outbox.retry.\"Courier.collect\".initial-delay=1h\n"
            + "outbox.retry.\"Courier.collect\".max-delay=1h\n"
            + "outbox.retry.\"Courier.collect\".jitter=false\n";

    @Transactional(TxType.NOT_SUPPORTED)
    void collect(@Observes OrderCancelled event, OutboxMessage message) {
        if (message.attempt() == 1) {
            throw new IllegalStateException("nobody was at home for order " + event.orderId());
        }
    }
}
