package org.example.orders;

import io.outboxed.Outboxed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;

/** Transactional: its rows exist once. */
@ApplicationScoped
public class Warehouse {

    @PersistenceContext(unitName = "orders")
    EntityManager em;

    @Inject
    Announcements announcements;

    void ship(@Observes OrderPlaced order) {
        em.persist(new Shipment(order.order(), order.quantity()));
        announcements.shipped(order.order());
    }

    List<String> shipments() {
        return em.createQuery("select s from Shipment s order by s.id", Shipment.class)
                .getResultStream()
                .map(Shipment::text)
                .toList();
    }

    @ApplicationScoped
    public static class Announcements {

        @Outboxed
        public OrderShipped shipped(String order) {
            return new OrderShipped(order);
        }
    }
}
