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
