package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.Outbox;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.PauseTarget;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an application pauses and resumes is noticed by the next call that delivers. */
@OutboxTest
class PausesTest {
    private static final PauseTarget CONFIRM = PauseTarget.handler("Mailer.confirm");
    private static final Attribution BY = Attribution.of("ada", "a test");

    @Inject
    OutboxAdmin admin;

    @Inject
    Outbox events;

    @Inject
    Orders orders;

    @Inject
    Warehouse warehouse;

    @Inject
    Mailer mailer;

    @Inject
    OutboxTester outbox;

    @BeforeEach
    void no_mail_has_been_sent() {
        mailer.forget();
    }

    @Test
    void a_pause_is_noticed_at_once() {
        shipped("o-1");
        outbox.drain();
        admin.pause(CONFIRM, BY);
        shipped("o-2");
        outbox.drain();
        assertThat(mailer.sent()).containsExactly("o-1");
    }

    @Test
    void a_drain_delivers_what_was_resumed() {
        pauseAndShipTen();
        admin.resume(CONFIRM, BY);
        outbox.drain();
        assertThat(mailer.sent()).hasSize(10);
    }

    @Test
    void an_event_is_awaited_after_its_resume() {
        admin.pause(CONFIRM, BY);
        UUID id = shipped("o-1");
        assertThatThrownBy(() -> outbox.await(id)).isInstanceOf(AssertionError.class);
        admin.resume(CONFIRM, BY);
        outbox.await(id);
        assertThat(mailer.sent()).containsExactly("o-1");
    }

    @Test
    void what_is_paused_is_not_due_after_any_time_and_still_waits_for_the_resume() {
        pauseAndShipTen();
        outbox.advance(Duration.ofDays(365));
        outbox.drain();
        assertThat(mailer.sent()).isEmpty();
        admin.resume(CONFIRM, BY);
        outbox.drain();
        assertThat(mailer.sent()).hasSize(10);
    }

    @Test
    void while_everything_is_paused_nothing_is_due() {
        admin.pause(PauseTarget.everything(), BY);
        orders.place("o-1", 1);
        outbox.drain();
        assertThat(outbox.calls()).isEmpty();
        admin.resume(PauseTarget.everything(), BY);
        outbox.drain();
        assertThat(mailer.sent()).containsExactly("o-1");
    }

    @Test
    void redelivery_does_not_wait_for_what_is_paused() {
        outbox.verifyRedelivery(
                () -> {
                    admin.pause(CONFIRM, BY);
                    orders.place("o-1", 1);
                },
                warehouse::shipments);
        assertThat(mailer.sent()).isEmpty();
    }

    private void pauseAndShipTen() {
        admin.pause(CONFIRM, BY);
        for (int i = 1; i <= 10; i++) {
            shipped("o-" + i);
        }
        outbox.drain();
        assertThat(mailer.sent()).isEmpty();
    }

    private UUID shipped(String order) {
        AtomicReference<UUID> id = new AtomicReference<>();
        outbox.inTransaction(() -> id.set(events.publish(new OrderShipped(order))));
        return id.get();
    }
}
