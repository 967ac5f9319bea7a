package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.Outbox;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A call that a test has given up ends after that test. */
@OutboxTest(LateCallTest.Printer.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LateCallTest {

    @ApplicationScoped
    static class Printer {
        private final CountDownLatch paper = new CountDownLatch(1);

        void print(@Observes OrderShipped shipped) throws InterruptedException {
            try {
                paper.await();
            } catch (InterruptedException e) {
                // takes its time to end
                paper.await(500, TimeUnit.MILLISECONDS);
                throw e;
            }
        }
    }

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @Test
    @Order(1)
    void a_test_gives_up_a_call() {
        outbox.inTransaction(() -> events.publish(new OrderShipped("o-1")));
        assertThatThrownBy(() -> outbox.drain(Duration.ofSeconds(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Printer.print");
    }

    @Test
    @Order(2)
    void the_next_test_sees_nothing_of_it() {
        outbox.drain();
        assertThat(outbox.calls()).isEmpty();
        assertThat(outbox.published(OrderShipped.class)).isEmpty();
    }
}
