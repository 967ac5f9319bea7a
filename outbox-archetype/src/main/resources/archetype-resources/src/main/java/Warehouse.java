package ${package};

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

@ApplicationScoped
public class Warehouse {

    @PersistenceContext(unitName = "orders")
    EntityManager em;

    /** Called after the order's commit, in a transaction of its own that also completes the delivery. */
    void ship(@Observes OrderPlaced placed) {
        em.persist(new Shipment(placed.orderId(), placed.item()));
    }

    public boolean hasShipped(String orderId) {
        return em.find(Shipment.class, orderId) != null;
    }
}
