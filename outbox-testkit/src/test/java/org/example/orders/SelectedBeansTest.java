package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.Outbox;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Some beans only, with a configuration of their own. One instance for all tests is created before JUnit's callbacks. */
@OutboxTest(
        value = {Orders.class, Mailer.class},
        settings = "outbox.retry.max-attempts=1")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SelectedBeansTest {

    @Test
    void only_these_beans_exist(Orders orders, Mailer mailer, OutboxTester outbox) {
        orders.place("o-1", 1);
        outbox.drain();
        assertThat(outbox.calls()).isEmpty();
        assertThat(outbox.published(OrderPlaced.class)).hasSize(1);
        assertThat(mailer.sent()).isEmpty();
    }

    @Test
    void the_settings_of_the_test_apply(OutboxTester outbox, Outbox events) {
        outbox.failNext("Mailer.confirm", 1);
        outbox.inTransaction(() -> events.publish(new OrderShipped("o-1")));
        outbox.drain();
        assertThat(outbox.deadLetters()).hasSize(1);
    }
}
