package io.outboxed.shop;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import org.eclipse.microprofile.faulttolerance.Retry;

/**
 * A transactional handler: what it writes and the end of its delivery are one transaction, so each parcel leaves once,
 * whatever crashes.
 */
@ApplicationScoped
public class Warehouse {

    @PersistenceContext(unitName = "shop")
    EntityManager em;

    /** A customer who cancels at the same moment makes the version check fail; the quick second try sees the change. */
    @Retry(maxRetries = 2, delay = 50, jitter = 20)
    void ship(@Observes OrderPlaced event) {
        Order order = em.find(Order.class, event.orderId());
        if (order.ship()) {
            em.persist(new Shipment(order, Shipment.Direction.OUT));
        }
    }

    /** Comes after {@link #ship}: the events of one order are delivered in order. */
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
