package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events and handlers without a server; the relay works when the test tells it to. */
@OutboxTest
class OrdersTest {

    @Inject
    Orders orders;

    @Inject
    Warehouse warehouse;

    @Inject
    OutboxTester outbox;

    @Test
    void an_order_is_shipped_after_its_commit() {
        orders.place("o-1", "tea");
        assertEquals(List.of(new OrderPlaced("o-1", "tea")), outbox.published(OrderPlaced.class));
        assertFalse(warehouse.hasShipped("o-1"));

        outbox.drain();
        assertTrue(warehouse.hasShipped("o-1"));
    }

    @Test
    void a_shipment_that_fails_is_tried_again() {
        outbox.failNext("Warehouse.ship", 1);
        orders.place("o-1", "tea");
        outbox.drain();
        assertFalse(warehouse.hasShipped("o-1"));

        outbox.advance(Duration.ofSeconds(1));
        outbox.drain();
        assertTrue(warehouse.hasShipped("o-1"));
    }
}
