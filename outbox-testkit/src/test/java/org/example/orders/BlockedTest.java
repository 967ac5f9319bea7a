package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.Outbox;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A dead letter that holds up its aggregate leaves its event in the table of those that are not done. */
@OutboxTest(
        value = {Orders.class, Mailer.class},
        settings = {"outbox.retry.max-attempts=1", "outbox.dead-letter.order=block"})
class BlockedTest {
    private static final String CONFIRM = "Mailer.confirm";

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @Test
    void an_event_has_ended_when_its_handler_has_given_up() {
        outbox.failNext(CONFIRM, 1);
        UUID id = shipped("o-1");
        outbox.await(id);
        assertThat(outbox.deadLetters()).extracting(DeadLetter::messageId).containsExactly(id);
    }

    @Test
    void an_event_behind_it_has_not_ended() {
        outbox.failNext(CONFIRM, 1);
        shipped("o-1");
        UUID next = shipped("o-1");
        outbox.drain();
        assertThatThrownBy(() -> outbox.await(next))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("event " + next + " is not done", "Mailer.confirm after 1 attempts, blocked");
        assertThat(outbox.calls()).extracting(HandlerCall::succeeded).containsExactly(false);
    }

    private UUID shipped(String order) {
        AtomicReference<UUID> id = new AtomicReference<>();
        outbox.inTransaction(() -> id.set(events.publish(new OrderShipped(order))));
        return id.get();
    }
}
