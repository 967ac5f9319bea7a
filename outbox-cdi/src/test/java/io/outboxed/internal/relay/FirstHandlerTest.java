package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events that waited for the first handler of their type come before those that were published since. */
class FirstHandlerTest {
    private final LoneRelay node = new LoneRelay(
                    OutboxConfig.Retry.DEFAULTS,
                    Map.of(
                            new HandlerKey("placed", "Mailer.mail"), HandlerMode.TRANSACTIONAL,
                            new HandlerKey("asked", "Mailer.answer"), HandlerMode.TRANSACTIONAL,
                            new HandlerKey("sold", "Clerk.file"), HandlerMode.TRANSACTIONAL,
                            new HandlerKey("sold", "Mailer.sell"), HandlerMode.TRANSACTIONAL),
                    List.of())
            .holdsAllShards(false);

    FirstHandlerTest() {
        node.store.retire("asked", "Mailer.answer");
    }

    @Test
    void waiting_events_are_called_first() {
        long waited = node.publish(7, "asked").seq();
        node.pass(Duration.ofSeconds(1));
        assertThat(node.calls.poll()).as("it has no handler").isNull();

        node.register(List.of(new HandlerRegistration("asked", "Mailer.answer", "Mailer")));
        long later = node.publish(7, "asked").seq();
        node.pass(Duration.ofMillis(100));
        node.pass(Duration.ofMillis(100));

        Call first = node.calls.poll();
        assertThat(first.delivery().head().seq()).isEqualTo(waited);
        assertThat(node.calls.poll()).isNull();
        node.succeeds(first);
        node.pass(Duration.ofMillis(100));
        assertThat(node.calls.poll().delivery().head().seq()).isEqualTo(later);
    }

    @Test
    void an_event_of_another_type_of_the_same_group_does_not_overtake_it_either() {
        long waited = node.publish(7, "asked").seq();
        node.pass(Duration.ofSeconds(1));

        node.register(List.of(new HandlerRegistration("asked", "Mailer.answer", "Mailer")));
        node.publish(7, "placed");
        node.pass(Duration.ofMillis(100));
        node.pass(Duration.ofMillis(100));

        assertThat(node.calls.poll().delivery().head().seq()).isEqualTo(waited);
        assertThat(node.calls.poll()).isNull();
    }

    @Test
    void nor_does_one_that_waits_behind_a_retry_in_that_group() {
        long waited = node.publish(7, "asked").seq();
        Call retry = retryWithOneBehind();

        register();
        node.succeeds(retry);

        assertThat(calledSoon()).containsExactly(waited, waited + 2);
    }

    @Test
    void nor_while_its_row_is_locked() {
        long waited = node.publish(7, "asked").seq();
        Call retry = retryWithOneBehind();
        MemoryTransaction other = node.store.begin();
        other.claim(node.store.reads().unadopted(7, 0, 1).get(0));

        register();
        node.succeeds(retry);
        assertThat(calledSoon()).isEmpty();
        other.rollback();

        assertThat(calledSoon()).containsExactly(waited, waited + 2);
    }

    @Test
    void an_event_whose_handlers_are_being_called_completes_before() {
        long waited = node.publish(7, "asked").seq();
        node.pass(Duration.ofSeconds(1));
        node.publish(7, "sold");
        node.turns();
        Call filed = node.calls.poll();

        register();
        assertThat(node.store.reads().unadopted(7, 0, 1)).hasSize(1);
        node.succeeds(filed);
        node.turns();
        Call mailed = node.calls.poll();
        assertThat(mailed.handler()).isEqualTo("Mailer.sell");
        assertThat(node.store.reads().unadopted(7, 0, 1)).hasSize(1);
        node.succeeds(mailed);

        assertThat(calledSoon()).containsExactly(waited);
    }

    /** Two events of the other type: the second try of the first one runs, and both are in memory. */
    private Call retryWithOneBehind() {
        node.pass(Duration.ofSeconds(1));
        node.publish(7, "placed");
        node.turns();
        node.fails(node.calls.poll());
        node.publish(7, "placed");
        Call retry = null;
        while (retry == null) {
            node.pass(Duration.ofMillis(100));
            retry = node.calls.poll();
        }
        return retry;
    }

    private void register() {
        node.register(List.of(new HandlerRegistration("asked", "Mailer.answer", "Mailer")));
        node.pass(Duration.ofSeconds(10));
    }

    private List<Long> calledSoon() {
        return node.calledWithin(Duration.ofSeconds(2), Duration.ofMillis(100));
    }
}
