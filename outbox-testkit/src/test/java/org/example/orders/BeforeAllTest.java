package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;

/** The first test of a class begins with the same database as the others. */
@OutboxTest
class BeforeAllTest {

    @BeforeAll
    static void an_order_is_delivered(Orders orders, OutboxTester outbox) {
        orders.place("o-1", 1);
        outbox.drain();
        orders.place("o-2", 1);
    }

    @RepeatedTest(2)
    void what_was_written_before_all_tests_is_in_none(OutboxTester outbox, Warehouse warehouse) {
        assertThat(outbox.published(OrderPlaced.class)).isEmpty();
        assertThat(warehouse.shipments()).isEmpty();

        outbox.drain();
        assertThat(outbox.calls()).isEmpty();
    }
}
