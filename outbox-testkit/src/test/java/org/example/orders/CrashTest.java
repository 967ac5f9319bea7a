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
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that has crashed does nothing more. */
@OutboxTest({CrashTest.Payments.class, CrashTest.Refunds.class})
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
            if (tries.size() == 1 && payment.account().equals("unlucky")) {
                throw new IllegalStateException("not at the first try");
            }
        }

        List<String> tries() {
            return tries;
        }
    }

    @EventType("refund.granted")
    public record RefundGranted(@AggregateId String account) {}

    /** Each handler fails when it is called for the first time. */
    @ApplicationScoped
    static class Refunds {
        private final Set<String> called = ConcurrentHashMap.newKeySet();

        void pay(@Observes RefundGranted refund) {
            call("pay");
        }

        @Transactional(TxType.NOT_SUPPORTED)
        void tell(@Observes RefundGranted refund) {
            call("tell");
        }

        private void call(String handler) {
            if (called.add(handler)) {
                throw new IllegalStateException("not yet");
            }
        }

        void forget() {
            called.clear();
        }
    }

    @Inject
    Payments payments;

    @Inject
    Refunds refunds;

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @BeforeEach
    void nothing_was_tried() {
        payments.tries().clear();
    }

    @Test
    void fault_tolerance_repeats_no_call_whose_process_has_crashed() {
        outbox.crashAfter(BOOK);
        outbox.inTransaction(() -> events.publish(new PaymentReceived("a-1")));
        outbox.drain();
        assertThat(outbox.calls(BOOK)).extracting(HandlerCall::succeeded).containsExactly(false, true);
        assertThat(payments.tries()).containsExactly("a-1", "a-1");
    }

    @Test
    void a_crash_comes_with_the_try_that_does_not_fail_by_itself() {
        outbox.crashAfter(BOOK);
        outbox.inTransaction(() -> events.publish(new PaymentReceived("unlucky")));
        outbox.drain();
        assertThat(outbox.calls(BOOK)).extracting(HandlerCall::succeeded).containsExactly(false, true);
        assertThat(payments.tries()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Refunds.pay", "Refunds.tell"})
    void a_crash_comes_with_the_first_call_that_does_not_fail_by_itself(String handler) {
        refunds.forget();
        outbox.crashAfter(handler);
        outbox.inTransaction(() -> events.publish(new RefundGranted("a-1")));
        outbox.drain();
        outbox.advance(Duration.ofMinutes(2));
        outbox.drain();
        assertThat(outbox.calls(handler)).extracting(HandlerCall::succeeded).containsExactly(false, false, true);
    }
}
