package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import org.junit.jupiter.api.Test;

/** With the setting that the page on testing names: otherwise the handler counts as down after ten failures. */
@OutboxTest(settings = {"outbox.retry.max-attempts=1", "outbox.handler.down-after=0"})
class ManyFailuresTest {

    @Test
    void each_of_many_failures_ends_as_a_dead_letter(Orders orders, OutboxTester outbox) {
        outbox.failNext("Warehouse.ship", 12);
        for (int i = 1; i <= 12; i++) {
            orders.place("o-" + i, 1);
        }
        outbox.drain();

        assertThat(outbox.deadLetters()).hasSize(12);
    }
}
