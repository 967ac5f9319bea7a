package io.outboxed.internal.relay;

import static io.outboxed.internal.relay.LoneRelay.AUDIT;
import static io.outboxed.internal.relay.LoneRelay.MAIL;
import static io.outboxed.internal.relay.LoneRelay.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The database has lost the commit of a handler's success, with what the handler has done. */
class LostCommitsTest {
    private final LoneRelay node = new LoneRelay(
                    OutboxConfig.Retry.DEFAULTS,
                    Map.of(
                            new HandlerKey(TYPE, AUDIT), HandlerMode.TRANSACTIONAL,
                            new HandlerKey(TYPE, MAIL), HandlerMode.TRANSACTIONAL),
                    List.of())
            .holdsAllShards(false);
    private final MessageHead first = node.publish(7);
    private final MessageHead second = node.publish(7);
    private final List<String> called = new ArrayList<>();

    @Test
    void all_handlers_are_called_again_if_the_next_one_of_the_event_finds_its_row_changed() {
        node.succeedsInVain(nextCall());
        assertThat(node.claims(nextCall())).isFalse();

        assertThatAllAreCalledInOrder();
    }

    @Test
    void so_they_are_if_the_next_one_fails() {
        node.succeedsInVain(nextCall());
        node.fails(nextCall());

        assertThatAllAreCalledInOrder();
    }

    @Test
    void so_they_are_if_the_next_one_is_given_up() {
        node.succeedsInVain(nextCall());
        node.isGivenUp(nextCall());

        assertThat(node.store.dead()).isEmpty();
        assertThatAllAreCalledInOrder();
    }

    /** The row does not take its success. The loop does not learn of that, so a later event may come first. */
    @Test
    void nor_are_they_lost_if_the_next_one_is_outside_a_transaction_and_succeeds() throws InterruptedException {
        LoneRelay outside = new LoneRelay(
                        OutboxConfig.Retry.DEFAULTS,
                        Map.of(
                                new HandlerKey(TYPE, AUDIT), HandlerMode.TRANSACTIONAL,
                                new HandlerKey(TYPE, MAIL), HandlerMode.OUTSIDE),
                        List.of())
                .holdsAllShards(false);
        outside.publish(7);
        outside.turns();
        outside.succeedsInVain(outside.calls.poll());
        outside.succeedsUnrecorded(outside.calls.poll());
        outside.recordsSuccesses();

        outside.pass(Duration.ofSeconds(1));
        Call again = outside.calls.poll();
        assertThat(again.handler()).isEqualTo(AUDIT);
        outside.succeeds(again);
        outside.succeedsUnrecorded(outside.calls.poll());
        outside.recordsSuccesses();
        assertThat(outside.store.messages()).isZero();
    }

    private Call nextCall() {
        node.turns();
        return node.called().get(0);
    }

    private void assertThatAllAreCalledInOrder() {
        for (int i = 0; i < 100; i++) {
            node.pass(Duration.ofMillis(100));
            for (Call call : node.called()) {
                called.add(call.handler() + " " + call.delivery().head().seq());
                node.succeeds(call);
            }
        }
        assertThat(called)
                .containsExactly(
                        AUDIT + " " + first.seq(),
                        MAIL + " " + first.seq(),
                        AUDIT + " " + second.seq(),
                        MAIL + " " + second.seq());
        assertThat(node.store.messages()).isZero();
    }
}
