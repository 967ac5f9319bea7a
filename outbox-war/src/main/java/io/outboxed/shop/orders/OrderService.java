package io.outboxed.shop.orders;

import io.outboxed.Outboxed;
import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.Optional;

/** The business methods. What they return is stored as an event in their transaction. */
@Stateless
public class OrderService {

    @PersistenceContext(unitName = "shop")
    EntityManager em;

    @Outboxed
    public OrderPlaced place(NewOrder wanted) {
        Order order = new Order(wanted);
        em.persist(order);
        return order.placed();
    }

    /** Waits while a warehouse is shipping the order. Publishes no event for an order that was already cancelled. */
    @Outboxed
    public Optional<OrderCancelled> cancel(long orderId) {
        Order order = em.find(Order.class, orderId, LockModeType.PESSIMISTIC_WRITE);
        if (order == null) {
            throw new UnknownOrderException(orderId);
        }
        return order.cancel() ? Optional.of(order.cancelled()) : Optional.empty();
    }
}
