package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.junit.jupiter.api.Test;

/** A process that has crashed does nothing more. */
@OutboxTest(CrashTest.Payments.class)
public class CrashTest {
    private static final String BOOK = "Payments.book";

    @EventType("payment.received")
    public record PaymentReceived(@AggregateId String account) {}

    @ApplicationScoped
    static class Payments {
        private final List<String> tries = new CopyOnWriteArrayList<>();

        @Retry(maxRetries = 2, delay = 0, jitter = 0)
        void book(@Observes PaymentReceived payment) {
            tries.add(payment.account());
        }

        List<String> tries() {
            return tries;
        }
    }

    @Inject
    Payments payments;

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @Test
    void fault_tolerance_repeats_no_call_whose_process_has_crashed() {
        outbox.crashAfter(BOOK);
        outbox.inTransaction(() -> events.publish(new PaymentReceived("a-1")));
        outbox.drain();
        assertThat(outbox.calls(BOOK)).extracting(HandlerCall::succeeded).containsExactly(false, true);
        assertThat(payments.tries()).containsExactly("a-1", "a-1");
    }
}
