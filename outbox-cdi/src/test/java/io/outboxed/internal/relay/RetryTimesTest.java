package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.Resolution;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** At what time each try is made. */
class RetryTimesTest {
    private static final Duration MOMENT = Duration.ofMillis(60);

    private final LoneRelay node = new LoneRelay(
                    new OutboxConfig.Retry(5, Duration.ofSeconds(3), 2, Duration.ofMinutes(10), false))
            .holdsAllShards(false);

    @Test
    void each_try_waits_as_long_as_its_policy_says() {
        node.publish(7);
        node.turns();
        node.fails(node.calls.poll());

        for (int seconds : new int[] {3, 6, 12, 24}) {
            node.pass(Duration.ofSeconds(seconds).minus(MOMENT));
            assertThat(node.calls.poll())
                    .as("%d ms before the %d seconds are over", MOMENT.toMillis(), seconds)
                    .isNull();
            node.pass(MOMENT.multipliedBy(2));
            Call next = node.calls.poll();
            assertThat(next).as("after %d seconds", seconds).isNotNull();
            node.fails(next);
        }

        assertThat(node.store.isDead(LoneRelay.MAIL, node.store.deadMessages().get(0)))
                .isTrue();
    }

    @Test
    void a_delivery_that_is_deferred_is_not_called_before_its_delay_has_passed() {
        node.publish(7);
        node.turns();
        node.isDeferred(node.calls.poll());

        for (int i = 0; i < 3; i++) {
            // up to a quarter less than five seconds
            node.pass(Duration.ofMillis(3_750).minus(MOMENT));
            assertThat(node.calls.poll()).isNull();
            node.pass(Duration.ofMillis(1_250).plus(MOMENT.multipliedBy(2)));
            node.isDeferred(node.calls.poll());
        }
    }

    @Test
    void messages_behind_a_retry_come_right_after_it() {
        node.publish(7);
        node.turns();
        node.fails(node.calls.poll());
        long second = node.publish(7).seq();
        node.pass(Duration.ofSeconds(2));
        assertThat(node.calls.poll()).isNull();

        node.pass(Duration.ofSeconds(2));
        node.succeeds(node.calls.poll());

        assertThat(node.calls.poll().delivery().head().seq()).isEqualTo(second);
    }

    @Test
    void a_try_that_is_counted_after_an_outage_is_made() {
        node.publish(7);
        node.turns();
        node.fails(node.calls.poll());

        node.statements.cut = "write";
        node.pass(Duration.ofSeconds(4));

        assertThat(node.calls.poll()).isNotNull();
    }

    @Test
    void a_try_whose_payload_could_not_be_read_is_not_counted() {
        node.publish(7);
        node.turns();
        node.fails(node.calls.poll());

        node.statements.cut = "bodies";
        node.pass(Duration.ofSeconds(4));
        node.pass(MOMENT);

        assertThat(node.calls.poll().delivery().attempt()).isEqualTo(2);
    }

    @Test
    void a_failure_counts_although_the_next_handler_of_the_message_is_not_begun() {
        LoneRelay two = new LoneRelay(
                        new OutboxConfig.Retry(5, Duration.ofMinutes(1), 2, Duration.ofMinutes(10), false),
                        Map.of(
                                new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL,
                                new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL),
                        List.of())
                .holdsAllShards(false);
        two.publish(7);
        two.turns();
        two.fails(two.calls.poll());
        two.isNotBegun(two.calls.poll());

        two.pass(Duration.ofSeconds(1));
        List<Call> soon = two.called();
        assertThat(soon).extracting(Call::handler).containsExactly(LoneRelay.MAIL);
        soon.forEach(two::succeeds);
        two.pass(Duration.ofMinutes(1));
        assertThat(two.called())
                .extracting(Call::handler, call -> call.delivery().attempt())
                .containsExactly(tuple(LoneRelay.AUDIT, 2));
    }

    /** The attempts were counted while more were allowed. */
    @Test
    void a_delivery_that_has_had_more_attempts_than_are_allowed_now_keeps_its_error() {
        assertThat(errorAfter(7)).isEqualTo("boom (no attempts left: 7 were made, max-attempts is 5)");
    }

    @Test
    void a_last_attempt_without_an_outcome_keeps_the_error_before_it() {
        assertThat(errorAfter(5)).contains("its node died").endsWith("Previous error: boom");
    }

    private static String errorAfter(int attempts) {
        LoneRelay taker =
                new LoneRelay(new OutboxConfig.Retry(5, Duration.ofSeconds(3), 2, Duration.ofMinutes(10), false));
        MessageHead head = taker.publish(7);
        Resolution waits = new Resolution.Retry(LoneRelay.MAIL, LoneRelay.MAIL, attempts, "boom", 0);
        taker.elsewhere(head.shard(), new FencedWrite.Resolve(head, List.of(waits)));

        taker.holdsAllShards(false);
        taker.pass(Duration.ofSeconds(1));

        assertThat(taker.called()).isEmpty();
        return taker.store.deadErrors().get(0);
    }
}
