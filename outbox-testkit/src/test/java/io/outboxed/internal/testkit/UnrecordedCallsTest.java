package io.outboxed.internal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server's relay has committed a handler's transaction, and with it removed the row; its call is not recorded yet. */
class UnrecordedCallsTest {
    private static final UUID EVENT = new UUID(0, 1);

    private final CountDownLatch committed = new CountDownLatch(1);
    private final CountDownLatch ends = new CountDownLatch(1);
    private final ObservedCalls observed = new ObservedCalls();
    private final TestOutbox outbox = new TestOutbox();
    private CompletableFuture<Outcome> call;

    /** The call ends when they are read for the third time: what does not wait for it reads them twice. */
    private final class EmptyTables extends TestTables {
        private int readings;

        @Override
        public boolean isAnyDue() {
            return read();
        }

        @Override
        boolean isPending(UUID id) {
            return read();
        }

        private boolean read() {
            if (++readings == 3) {
                ends.countDown();
            }
            return false;
        }

        @Override
        boolean hasEnded(UUID id) {
            return true;
        }
    }

    @BeforeEach
    void prepare() {
        outbox.tables = new EmptyTables();
        outbox.observed = observed;
    }

    @AfterEach
    void the_call_ends() {
        ends.countDown();
        call.join();
        assertThat(observed.isAnyRunning()).isFalse();
    }

    @Test
    void a_drain_ends_after_the_last_call_is_recorded() throws InterruptedException {
        begin(() -> observed.deliver(delivery(EVENT), "Mailer", this::handled));
        outbox.drain();
        assertThat(observed.all()).hasSize(1);
    }

    @Test
    void a_drain_ends_after_the_last_batch_is_recorded() throws InterruptedException {
        List<Delivery> batch = List.of(delivery(EVENT), delivery(new UUID(0, 2)));
        begin(() -> observed.deliverTogether(batch, "Mailer", this::handled));
        outbox.drain();
        assertThat(observed.all()).hasSize(2);
    }

    @Test
    void an_await_ends_after_the_calls_of_its_event_are_recorded() throws InterruptedException {
        begin(() -> observed.deliver(delivery(EVENT), "Mailer", this::handled));
        outbox.await(EVENT);
        assertThat(observed.all()).hasSize(1);
    }

    @Test
    void an_await_does_not_wait_for_the_calls_of_other_events() throws InterruptedException {
        begin(() -> observed.deliver(delivery(EVENT), "Mailer", this::handled));
        outbox.await(new UUID(0, 2), Duration.ofMinutes(1));
        assertThat(observed.all()).isEmpty();
    }

    private void begin(Supplier<Outcome> delivery) throws InterruptedException {
        call = CompletableFuture.supplyAsync(delivery);
        committed.await();
    }

    private Outcome handled() {
        committed.countDown();
        try {
            ends.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
        return new Outcome.Done(true);
    }

    private static Delivery delivery(UUID id) {
        MessageHead head = new MessageHead(
                id.getLeastSignificantBits(),
                id,
                0,
                7,
                "order.placed",
                "order",
                MessageState.READY,
                0,
                0,
                2,
                0,
                false,
                null,
                null);
        MessageBody body = new MessageBody(
                id.getLeastSignificantBits(), id, "order", "o-7", Instant.EPOCH, Duration.ZERO, null, "{}", null);
        return new Delivery(head, body, "Mailer.confirm", 1, AckMode.DELETE_MESSAGE);
    }
}
