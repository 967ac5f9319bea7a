package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import org.hibernate.LazyInitializationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An entity is managed until its transaction ends; without one, it is detached. */
@OutboxTest
class DetachedTest {

    @PersistenceContext(unitName = "orders")
    EntityManager em;

    @Inject
    Orders orders;

    @Inject
    OutboxTester outbox;

    private Long id;

    @BeforeEach
    void an_order_is_shipped() {
        orders.place("o-1", 1);
        outbox.drain();
        id = em.createQuery("select s.id from Shipment s", Long.class).getSingleResult();
    }

    @Test
    void what_is_found_without_a_transaction_loads_nothing_more() {
        Shipment found = em.find(Shipment.class, id);
        assertThat(found.text()).isEqualTo("o-1 x 1");
        assertThatThrownBy(found::labels).isInstanceOf(LazyInitializationException.class);
    }

    @Test
    void what_is_found_in_a_transaction_loads_the_rest_there() {
        outbox.inTransaction(
                () -> assertThat(em.find(Shipment.class, id).labels()).containsExactly("fragile"));
    }
}
