package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which of a message's handlers is given up for the deaths of its nodes, and in which order they are called. */
class BlamedHandlersTest {
    private static final String FORWARD = "Broker.forward";

    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS);

    @Test
    void a_message_that_was_running_at_two_deaths_is_given_up() {
        node.publishWithStarts(7, 2);
        node.holdsAllShards(true);
        node.turns();

        assertThat(node.calls.poll()).isNull();
        assertThat(node.store.deadMessages()).hasSize(1);
    }

    @Test
    void of_several_handlers_the_first_is_given_up_and_the_others_are_called() {
        LoneRelay both = withTwoHandlers(64);
        both.publishWithStarts(7, 2);
        both.holdsAllShards(true);
        both.turns();
        assertThat(both.store.dead()).extracting(dead -> dead.handler()).containsExactly(LoneRelay.AUDIT);

        both.pass(Duration.ofMillis(100));
        Call other = both.calls.poll();
        assertThat(other.handler()).isEqualTo(LoneRelay.MAIL);
        assertThat(other.delivery().attempt()).isOne();
        both.succeeds(other);
        assertThat(both.store.messages()).isZero();
    }

    /** The operator has paused the one that kills the nodes. */
    @Test
    void a_handler_is_not_given_up_while_an_earlier_one_that_may_be_to_blame_is_paused() {
        LoneRelay both = withTwoHandlers(64);
        both.publishWithStarts(7, 2);
        both.store.pause(PauseTarget.handler(LoneRelay.AUDIT));
        both.holdsAllShards(true);
        List<Call> called = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            both.pass(Duration.ofMillis(100));
            both.called().forEach(call -> {
                called.add(call);
                both.succeeds(call);
            });
        }

        assertThat(both.store.dead()).isEmpty();
        assertThat(called).extracting(Call::handler).containsExactly(LoneRelay.MAIL);
        assertThat(both.store.messages()).isOne();
    }

    /** It was not called before those deaths either. */
    @Test
    void one_that_waits_behind_an_earlier_event_is_not_to_blame() {
        LoneRelay both = withTwoHandlers(64);
        both.publish(7);
        both.holdsAllShards(false);
        both.turns();
        both.fails(both.calls.poll());
        both.succeeds(both.calls.poll());
        both.relay.lostAll();
        both.publishWithStarts(7, 2);
        both.holdsAllShards(true);
        both.turns();

        assertThat(both.store.dead()).extracting(dead -> dead.handler()).containsExactly(LoneRelay.MAIL);
    }

    @Test
    void a_forwarder_is_not_blamed_for_deaths_that_happened_while_its_broker_did_not_answer() {
        node.handlers.forwarders.add(LoneRelay.MAIL);
        node.publishWithStarts(7, 9);
        node.holdsAllShards(true);
        node.turns();

        assertThat(node.called()).hasSize(1);
        assertThat(node.store.deadMessages()).isEmpty();
    }

    /** @param share how many calls of a handler run at the same time */
    private static LoneRelay forwarding(int share) {
        LoneRelay both = new LoneRelay(
                share,
                OutboxConfig.Retry.DEFAULTS,
                Map.of(
                        new HandlerKey(LoneRelay.TYPE, FORWARD), HandlerMode.FORWARDER,
                        new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.OUTSIDE));
        return both.holdsAllShards(false);
    }

    @Test
    void a_forwarder_is_called_last_so_that_deaths_while_it_waits_are_not_blamed_on_other_handlers() {
        LoneRelay both = forwarding(64);
        both.publish(7);
        both.turns();

        Call first = both.calls.poll();
        assertThat(first.handler()).isEqualTo(LoneRelay.MAIL);
        both.succeeds(first);
        assertThat(both.calls.poll().handler()).isEqualTo(FORWARD);
    }

    @Test
    void a_forwarder_is_called_last_although_the_workers_of_other_handlers_are_busy() {
        LoneRelay both = forwarding(1);
        both.publish(7);
        both.publish(8);
        both.turns();

        Call first = both.calls.poll();
        assertThat(first.handler()).isEqualTo(LoneRelay.MAIL);
        assertThat(both.calls.poll()).as("the other event waits for it").isNull();
        both.succeeds(first);
        assertThat(both.called()).extracting(Call::handler).contains(LoneRelay.MAIL);
    }

    /** If the second one were called first and killed its node each time, the first one would get its dead letter. */
    @Test
    void handlers_of_a_suspect_are_called_in_their_order_although_the_workers_of_the_first_are_busy() {
        LoneRelay both = withTwoHandlers(1);
        both.publish(7);
        both.publish(8);
        both.holdsAllShards(true);
        both.turns();

        Call first = both.calls.poll();
        assertThat(first.handler()).isEqualTo(LoneRelay.AUDIT);
        assertThat(both.calls.poll()).as("the other event waits for it").isNull();
        both.succeeds(first);
        assertThat(both.calls.poll().handler()).isEqualTo(LoneRelay.AUDIT);
    }

    @Test
    void an_event_with_which_a_forwarder_kills_its_node_each_time_is_given_up_in_the_end() {
        node.handlers.forwarders.add(LoneRelay.MAIL);
        node.publishWithStarts(7, 10);
        node.holdsAllShards(true);
        node.turns();

        assertThat(node.called()).isEmpty();
        assertThat(node.store.deadMessages()).hasSize(1);
    }

    /** @param share how many calls of a handler run at the same time */
    private static LoneRelay withTwoHandlers(int share) {
        return new LoneRelay(
                share,
                OutboxConfig.Retry.DEFAULTS,
                Map.of(
                        new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL,
                        new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL));
    }
}
