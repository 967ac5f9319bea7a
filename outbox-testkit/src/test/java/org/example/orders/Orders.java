package org.example.orders;

import io.outboxed.Outbox;
import io.outboxed.Outboxed;
import io.outboxed.PublishOptions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.UUID;

@ApplicationScoped
public class Orders {

    @Inject
    Outbox outbox;

    @Outboxed
    @Transactional
    public OrderPlaced place(String order, int quantity) {
        if (quantity < 1) {
            throw new IllegalArgumentException("quantity is " + quantity);
        }
        return new OrderPlaced(order, quantity);
    }

    @Transactional
    public UUID placeLater(String order, Duration delay) {
        return outbox.publish(new OrderPlaced(order, 1), PublishOptions.none().delay(delay));
    }
}
