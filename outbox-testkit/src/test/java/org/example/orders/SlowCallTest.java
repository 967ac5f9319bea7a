package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.Outbox;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The last call takes longer than the test wanted to wait, but it is not given up yet. */
@OutboxTest(SlowCallTest.Printer.class)
class SlowCallTest {

    @ApplicationScoped
    static class Printer {
        private volatile long endsAt;

        void endAt(long nanoTime) {
            endsAt = nanoTime;
        }

        void print(@Observes OrderShipped shipped) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(endsAt - System.nanoTime());
        }
    }

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @Inject
    Printer printer;

    @Test
    void what_was_delivered_in_the_end_is_not_said_to_be_left() {
        outbox.inTransaction(() -> events.publish(new OrderShipped("o-1")));

        printer.endAt(System.nanoTime() + Duration.ofMillis(1_050).toNanos());
        outbox.drain(Duration.ofSeconds(1));

        assertThat(outbox.calls("Printer.print")).hasSize(1);
    }
}
