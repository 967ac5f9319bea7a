package ${package};

import io.outboxed.Outboxed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;

@ApplicationScoped
public class Orders {

    @PersistenceContext(unitName = "orders")
    EntityManager em;

    /** The order and its event are stored in one transaction. */
    @Outboxed
    @Transactional
    public OrderPlaced place(String orderId, String item) {
        em.persist(new CustomerOrder(orderId, item));
        return new OrderPlaced(orderId, item);
    }
}
