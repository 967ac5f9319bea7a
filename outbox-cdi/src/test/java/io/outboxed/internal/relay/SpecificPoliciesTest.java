package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Retry;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The relay applies the policies that are configured for one type or for one handler. */
class SpecificPoliciesTest {
    private static final String BOOK = "Ledger.book";
    private static final Retry GENERAL = retry(5, 3);
    private static final Map<HandlerKey, HandlerMode> HANDLERS = Map.of(
            new HandlerKey("placed", LoneRelay.MAIL), HandlerMode.TRANSACTIONAL,
            new HandlerKey("cancelled", LoneRelay.MAIL), HandlerMode.TRANSACTIONAL,
            new HandlerKey("billed", BOOK), HandlerMode.TRANSACTIONAL);

    private final LoneRelay node = new LoneRelay(
                    OutboxConfig.DEFAULTS
                            .withRetry(GENERAL)
                            .withRetryOverrides(
                                    Map.of("cancelled", retry(1, 3), BOOK, retry(2, 20), "billed", retry(9, 1)))
                            .withDeadLetters(
                                    new OutboxConfig.DeadLetters(false, Map.of("cancelled", true, BOOK, true))),
                    HANDLERS,
                    List.of())
            .holdsAllShards(false);

    private static Retry retry(int attempts, int seconds) {
        return new Retry(attempts, Duration.ofSeconds(seconds), 1, Duration.ofMinutes(10), false);
    }

    private Call next() {
        node.turns();
        return node.calls.poll();
    }

    @Test
    void a_types_policy_applies_to_its_events_and_not_to_others_of_the_same_handler() {
        node.publish(7, "cancelled");
        node.fails(next());
        assertThat(node.store.dead()).as("one attempt is all it has").hasSize(1);

        node.publish(8, "placed");
        node.fails(next());
        assertThat(node.store.dead()).hasSize(1);
        node.pass(Duration.ofSeconds(4));
        assertThat(node.calls.poll().delivery().attempt()).isEqualTo(2);
    }

    @Test
    void a_handlers_policy_comes_before_that_of_the_type() {
        node.publish(7, "billed");
        node.fails(next());
        node.pass(Duration.ofSeconds(19));
        assertThat(node.calls.poll()).as("its own delay is 20 s").isNull();

        node.pass(Duration.ofSeconds(2));
        node.fails(node.calls.poll());
        assertThat(node.store.dead()).as("it has two attempts").hasSize(1);
    }

    @Test
    void a_last_attempt_that_died_with_its_node_is_the_last_of_the_handlers_policy() {
        node.publish(7, "billed");
        node.fails(next());
        node.pass(Duration.ofSeconds(21));
        Call second = node.calls.poll();
        assertThat(second.delivery().attempt())
                .as("counted before it is called")
                .isEqualTo(2);

        node.relay.lostAll();
        node.holdsAllShards(true);
        node.isNotBegun(second);
        node.pass(Duration.ofMinutes(1));

        assertThat(node.calls.poll()).isNull();
        assertThat(node.store.dead()).hasSize(1);
    }

    @Test
    void a_dead_letter_holds_up_its_group_only_where_its_type_or_handler_says_so() {
        node.publish(7, "placed");
        node.isGivenUp(next());
        long after = node.publish(7, "placed").seq();
        Call notHeldUp = next();
        assertThat(notHeldUp.delivery().head().seq())
                .as("skip is the general policy")
                .isEqualTo(after);
        node.succeeds(notHeldUp);

        node.publish(7, "cancelled");
        node.isGivenUp(next());
        node.publish(7, "placed");
        node.pass(Duration.ofMinutes(1));
        assertThat(node.calls.poll()).as("block is the policy of this type").isNull();

        node.publish(8, "billed");
        node.isGivenUp(next());
        node.publish(8, "billed");
        node.pass(Duration.ofMinutes(1));
        assertThat(node.calls.poll()).as("block is the policy of this handler").isNull();
    }

    @Test
    void a_message_that_kills_its_nodes_holds_up_its_group_where_its_type_says_so() {
        LoneRelay successor = new LoneRelay(
                OutboxConfig.DEFAULTS.withDeadLetters(new OutboxConfig.DeadLetters(false, Map.of("placed", true))),
                HANDLERS,
                List.of());
        successor.publishWithStarts(7, 2);
        successor.publish(7);
        successor.holdsAllShards(true);
        successor.pass(Duration.ofSeconds(1));
        successor.pass(Duration.ofMinutes(1));

        assertThat(successor.store.dead()).hasSize(1);
        assertThat(successor.calls.poll()).isNull();
    }
}
