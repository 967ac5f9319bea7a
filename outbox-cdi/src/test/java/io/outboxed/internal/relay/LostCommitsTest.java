package io.outboxed.internal.relay;

import static io.outboxed.internal.relay.HandlerMode.FORWARDER;
import static io.outboxed.internal.relay.HandlerMode.OUTSIDE;
import static io.outboxed.internal.relay.HandlerMode.TRANSACTIONAL;
import static io.outboxed.internal.relay.LoneRelay.AUDIT;
import static io.outboxed.internal.relay.LoneRelay.MAIL;
import static io.outboxed.internal.relay.LoneRelay.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The database has lost the commit of a handler's success, with what the handler has done. */
class LostCommitsTest {
    private static final String TOPIC = "Topic.forward";

    @Test
    void all_handlers_are_called_again_if_the_next_one_of_the_event_finds_its_row_changed() {
        LoneRelay node = afterALostSuccess(TRANSACTIONAL);
        assertThat(node.claims(nextCall(node))).isFalse();

        assertThatAllAreCalledInOrder(node);
    }

    @Test
    void so_they_are_if_the_next_one_fails() {
        LoneRelay node = afterALostSuccess(TRANSACTIONAL);
        node.fails(nextCall(node));

        assertThatAllAreCalledInOrder(node);
    }

    @Test
    void so_they_are_if_the_next_one_is_given_up() {
        LoneRelay node = afterALostSuccess(TRANSACTIONAL);
        node.isGivenUp(nextCall(node));

        assertThat(node.store.dead()).isEmpty();
        assertThatAllAreCalledInOrder(node);
    }

    /** The row does not take its success. If the loop did not learn of that, it would go on with the second event. */
    @Test
    void so_they_are_if_the_next_one_is_outside_a_transaction_and_succeeds() throws InterruptedException {
        LoneRelay node = afterALostSuccess(OUTSIDE);
        node.succeedsUnrecorded(nextCall(node));
        node.recordsSuccesses();

        assertThatAllAreCalledInOrder(node);
    }

    /** Its success could not be recorded either, and it would be called twice. */
    @Test
    void then_no_further_handler_is_called_before_all_are_called_again() throws InterruptedException {
        LoneRelay node = afterALostSuccess(Map.of(AUDIT, TRANSACTIONAL, MAIL, OUTSIDE, TOPIC, FORWARDER));
        node.succeedsUnrecorded(nextCall(node));
        node.recordsSuccesses();
        assertThat(node.called()).isEmpty();

        assertThatAllAreCalledInOrder(node, AUDIT, MAIL, TOPIC);
    }

    private static LoneRelay afterALostSuccess(HandlerMode second) {
        return afterALostSuccess(Map.of(AUDIT, TRANSACTIONAL, MAIL, second));
    }

    /** Of the first handler of the first of two events of an aggregate. */
    private static LoneRelay afterALostSuccess(Map<String, HandlerMode> modes) {
        Map<HandlerKey, HandlerMode> handlers = modes.entrySet().stream()
                .collect(Collectors.toMap(each -> new HandlerKey(TYPE, each.getKey()), Map.Entry::getValue));
        LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS, handlers, List.of()).holdsAllShards(false);
        node.publish(7);
        node.publish(7);
        node.succeedsInVain(nextCall(node));
        return node;
    }

    private static Call nextCall(LoneRelay node) {
        node.turns();
        return node.called().get(0);
    }

    private static void assertThatAllAreCalledInOrder(LoneRelay node) {
        assertThatAllAreCalledInOrder(node, AUDIT, MAIL);
    }

    private static void assertThatAllAreCalledInOrder(LoneRelay node, String... handlers) {
        List<String> called = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            node.pass(Duration.ofMillis(100));
            for (Call call : node.called()) {
                called.add(call.handler() + " " + call.delivery().head().seq());
                node.succeeds(call);
            }
        }
        assertThat(called)
                .containsExactlyElementsOf(Stream.of(1, 2)
                        .flatMap(seq -> Stream.of(handlers).map(handler -> handler + " " + seq))
                        .toList());
        assertThat(node.store.messages()).isZero();
    }
}
