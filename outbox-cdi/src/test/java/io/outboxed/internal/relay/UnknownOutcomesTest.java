package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What happens after a commit without an answer, while its row is still there. */
class UnknownOutcomesTest {
    private final LoneRelay node = new LoneRelay(
                    new OutboxConfig.Retry(3, Duration.ofSeconds(10), 2, Duration.ofMinutes(10), false))
            .holdsAllShards(false);

    @Test
    void the_handler_is_called_again_after_a_pause_and_not_while_the_clock_stands_still() {
        node.publish(7);
        node.turns();

        node.endsUnclear(node.calls.poll());
        assertThat(node.calls.poll()).isNull();

        node.pass(Duration.ofMillis(600));
        Call again = node.calls.poll();
        assertThat(again.delivery().attempt()).as("nothing was counted").isEqualTo(1);
    }

    @Test
    void the_third_one_in_a_row_counts_as_a_failure() {
        node.publish(7);
        node.turns();
        for (int i = 0; i < 3; i++) {
            node.endsUnclear(node.calls.poll());
            node.pass(Duration.ofMillis(600));
        }

        assertThat(node.calls.poll()).as("its policy says ten seconds").isNull();
        node.pass(Duration.ofSeconds(10));
        assertThat(node.calls.poll().delivery().attempt()).isEqualTo(2);
    }

    @Test
    void a_commit_that_is_refused_each_time_ends_as_a_dead_letter() {
        node.publish(7);
        int called = 0;
        for (int i = 0; i < 200; i++) {
            node.pass(Duration.ofSeconds(1));
            for (Call call : node.called()) {
                called++;
                node.endsUnclear(call);
            }
        }

        assertThat(node.store.messages()).isZero();
        assertThat(called).as("three for each of three tries").isEqualTo(9);
    }

    @Test
    void a_call_without_a_transaction_never_counts_however_often() {
        node.publish(7);
        node.turns();
        for (int i = 0; i < 30; i++) {
            Call call = node.calls.poll();
            assertThat(call).as("call %d", i).isNotNull();
            assertThat(call.delivery().attempt()).isEqualTo(1);
            node.getsNoTransaction(call);
            assertThat(node.calls.poll()).as("not while the clock stands still").isNull();
            node.pass(Duration.ofMillis(600));
            if (i >= 2) {
                assertThat(node.calls.poll()).as("it lasts").isNull();
                node.pass(Duration.ofSeconds(5));
            }
        }
    }

    @Test
    void they_are_counted_for_each_handler() {
        LoneRelay two = new LoneRelay(
                        OutboxConfig.Retry.DEFAULTS,
                        Map.of(
                                new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL,
                                new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL),
                        List.of())
                .holdsAllShards(false);
        two.publish(7);
        two.turns();

        for (int i = 0; i < 4; i++) {
            Call call = two.calls.poll();
            assertThat(call.delivery().attempt()).isEqualTo(1);
            two.endsUnclear(call);
            two.pass(Duration.ofMillis(600));
        }
        assertThat(two.calls.poll().delivery().attempt()).isEqualTo(1);
    }
}
