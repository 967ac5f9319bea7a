package io.outboxed.shop.fulfilment;

import io.outboxed.shop.orders.Order;
import io.outboxed.shop.orders.OrderCancelled;
import io.outboxed.shop.orders.OrderPlaced;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import org.eclipse.microprofile.faulttolerance.Retry;

/**
 * A transactional handler: its writes and the end of its delivery are one transaction, so each parcel is sent once,
 * even after a crash.
 */
@ApplicationScoped
public class Warehouse {

    @PersistenceContext(unitName = "shop")
    EntityManager em;

    /**
     * A customer who cancels at the same moment makes the version check fail; the quick second attempt sees the change.
     */
    @Retry(maxRetries = 2, delay = 50, jitter = 20)
    void ship(@Observes OrderPlaced event) {
        Order order = em.find(Order.class, event.orderId());
        if (order.ship()) {
            em.persist(new Shipment(order, Shipment.Direction.OUT));
        }
    }

    /** Called after {@link #ship}: the events of one order are delivered in order. */
    void takeBack(@Observes OrderCancelled event) {
        if (parcels(event.orderId()) > 0) {
            em.persist(new Shipment(em.find(Order.class, event.orderId()), Shipment.Direction.BACK));
        }
    }

    private long parcels(long orderId) {
        return em.createQuery("select count(s) from Shipment s where s.orderId = :order", Long.class)
                .setParameter("order", orderId)
                .getSingleResult();
    }
}
