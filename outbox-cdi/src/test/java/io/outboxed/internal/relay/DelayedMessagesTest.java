package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** When a delayed message is called, and what a transaction that cancels it prevents. */
class DelayedMessagesTest {
    private static final Duration DELAY = Duration.ofSeconds(10);
    private static final Duration MOMENT = Duration.ofMillis(600);
    private static final Duration LONG_DELAY = Duration.ofMinutes(5);
    private static final Duration SHORT_MOMENT = Duration.ofMillis(60);

    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS).holdsAllShards(false);

    @Test
    void a_delayed_message_is_called_when_its_delay_has_passed_and_not_before() {
        MessageHead delayed = publish();
        node.pass(DELAY.minus(MOMENT));
        assertThat(node.calls.poll()).isNull();

        node.pass(MOMENT.multipliedBy(2));
        Call call = node.calls.poll();
        assertThat(call.delivery().head().seq()).isEqualTo(delayed.seq());
        node.succeeds(call);
        assertThat(node.store.messages()).isZero();
    }

    @Test
    void one_of_which_the_relay_is_told_is_called_when_its_delay_has_passed_and_not_a_moment_before() {
        long delayed = node.publishDelayed(7, LONG_DELAY).seq();
        node.turns();
        assertThat(node.calls.poll()).as("at once").isNull();

        node.pass(LONG_DELAY.minus(SHORT_MOMENT));
        assertThat(node.calls.poll()).as("a moment too early").isNull();

        node.pass(SHORT_MOMENT.multipliedBy(2));
        assertThat(node.calls.poll().delivery().head().seq()).isEqualTo(delayed);
    }

    @Test
    void a_successor_that_takes_over_meanwhile_holds_it_back_too() {
        node.publishDelayed(7, LONG_DELAY);
        node.turns();
        node.relay.lostAll();
        node.holdsAllShards(true);

        node.pass(LONG_DELAY.minus(SHORT_MOMENT));
        assertThat(node.calls.poll()).isNull();
        node.pass(SHORT_MOMENT.multipliedBy(2));
        assertThat(node.calls.poll()).isNotNull();
    }

    @Test
    void a_message_whose_delay_passes_while_no_relay_runs_is_called_at_once() {
        MessageHead delayed = publish();
        node.later(DELAY.plus(MOMENT));
        node.turns();

        assertThat(node.calls.poll().delivery().head().seq()).isEqualTo(delayed.seq());
    }

    @Test
    void a_message_that_is_being_cancelled_when_it_becomes_due_waits_for_the_end_of_that_transaction() {
        MessageHead delayed = publish();
        node.pass(DELAY.minus(MOMENT));
        MemoryTransaction cancelling = node.store.begin();
        assertThat(cancelling.cancel(delayed.id(), node.micros())).isTrue();

        for (int i = 0; i < 5; i++) {
            node.pass(MOMENT.multipliedBy(2));
            assertThat(node.calls.poll()).isNull();
        }

        cancelling.commit();
        node.pass(MOMENT.multipliedBy(2));
        assertThat(node.calls.poll()).isNull();
        node.pass(MOMENT);
        assertThat(node.store.messages() + node.store.waitRows()).isZero();
    }

    @Test
    void a_message_whose_cancellation_is_rolled_back_is_called() {
        MessageHead delayed = publish();
        node.pass(DELAY.minus(MOMENT));
        MemoryTransaction cancelling = node.store.begin();
        assertThat(cancelling.cancel(delayed.id(), node.micros())).isTrue();
        node.pass(MOMENT.multipliedBy(2));

        cancelling.rollback();
        node.pass(MOMENT.multipliedBy(2));

        assertThat(node.calls.poll().delivery().head().seq()).isEqualTo(delayed.seq());
    }

    @Test
    void a_message_that_no_relay_has_parked_is_not_called_either_while_it_is_being_cancelled() {
        MessageHead delayed = publish();
        MemoryTransaction cancelling = node.store.begin();
        assertThat(cancelling.cancel(delayed.id(), node.micros())).isTrue();
        node.later(DELAY.plus(MOMENT));
        node.turns();
        assertThat(node.calls.poll()).isNull();

        cancelling.rollback();
        node.pass(MOMENT);

        assertThat(node.calls.poll().delivery().head().seq()).isEqualTo(delayed.seq());
    }

    /** A transaction that cancels it has its lock. */
    @Test
    void a_locked_one_is_parked_once_it_is_free_and_until_then_the_relay_polls_as_if_there_were_nothing() {
        MessageHead delayed = node.publishDelayed(7, Duration.ofHours(1));
        MemoryTransaction cancelling = node.store.begin();
        cancelling.claim(delayed);

        for (int i = 0; i < 600; i++) {
            node.pass(Duration.ofMillis(10));
        }

        assertThat(node.statements.written)
                .as("attempts to park it in six seconds")
                .isBetween(1, 30);
        cancelling.rollback();
        node.pass(Duration.ofSeconds(2));
        assertThat(node.store.reads().lane(7, 1)).hasSize(1);
    }

    @Test
    void a_message_that_may_have_been_called_can_not_be_cancelled() {
        MessageHead delayed = publish();
        node.pass(DELAY.plus(MOMENT));
        assertThat(node.calls.poll()).isNotNull();

        assertThat(node.store.begin().cancel(delayed.id(), node.micros())).isFalse();
    }

    private MessageHead publish() {
        return node.store.insert(
                UUID.randomUUID(),
                LoneRelay.TYPE,
                7,
                node.store.handlers().snapshot().version(),
                DELAY.toNanos() / 1000,
                "fine");
    }
}
