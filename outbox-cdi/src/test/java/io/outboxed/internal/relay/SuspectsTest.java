package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.Ack;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** After the death of their owner: which messages are counted before they run, and which of them hold up others. */
class SuspectsTest {
    private static final String FORWARD = "Broker.forward";

    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS);

    @Test
    void suspects_run_concurrently_even_after_a_connection_was_cut() {
        IntStream.range(0, 10).forEach(i -> node.publish(i * 64L));
        node.holdsAllShards(true);
        node.unanswered = "start";
        node.turns();

        assertThat(node.called())
                .as("what this node counted itself was not running when a node died")
                .hasSize(10);
    }

    @Test
    void one_that_was_running_at_an_earlier_death_holds_up_only_others_like_it() {
        List<MessageHead> twice = IntStream.range(0, 3).mapToObj(node::publish).toList();
        node.holdsAllShards(true);
        node.turns();
        node.called();
        assertThat(startsOf(twice)).containsExactly(1, 1, 1);

        LoneRelay successor = new LoneRelay(OutboxConfig.Retry.DEFAULTS);
        IntStream.range(0, 3).forEach(lane -> successor.publishWithStarts(lane, 1));
        IntStream.range(10, 15).forEach(successor::publish);
        successor.holdsAllShards(true);
        successor.turns();

        List<Call> running = successor.called();
        assertThat(running.stream().filter(call -> call.delivery().head().lane() < 3))
                .as("one of those that may have killed a node")
                .hasSize(1);
        assertThat(running.stream().filter(call -> call.delivery().head().lane() >= 10))
                .hasSize(5);
    }

    @Test
    void a_shard_in_which_only_deliveries_wait_has_no_suspects() {
        node.publish(7);
        node.holdsAllShards(false);
        node.turns();
        node.fails(node.calls.poll());
        node.later(Duration.ofMinutes(1));
        node.gains(7, true);
        node.turns();
        Call retry = node.calls.poll();

        node.relay.requestHandOver(64, "newer");
        node.succeeds(retry);

        assertThat(node.store.ports().shards().all().get(7).owner()).isEqualTo("newer");
    }

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

    @Test
    void a_count_whose_answer_is_lost_does_not_count_as_another_death() {
        node.publishWithStarts(7, 1);
        node.publishWithStarts(8, 1);
        node.holdsAllShards(true);
        node.unanswered = "start";
        node.turns();
        assertThat(node.unanswered).isEmpty();
        node.pass(Duration.ofSeconds(1));
        node.turns();

        assertThat(node.store.deadMessages()).isEmpty();
        assertThat(node.called()).isNotEmpty();
    }

    @Test
    void what_follows_a_suspect_that_is_not_called_can_not_be_acknowledged_by_the_last_owner() {
        node.store.pause(PauseTarget.type(LoneRelay.TYPE));
        node.pass(Duration.ofSeconds(2));
        node.publish(7);
        MessageHead behind = node.publish(7);
        node.holdsAllShards(true);
        for (int i = 0; i < 50 && node.written == 0; i++) {
            node.relay.iterate();
        }
        assertThat(node.written).as("the first one waits for its handler").isEqualTo(1);

        node.store.ports().acks().acknowledge(List.of(new Ack(behind, LoneRelay.MAIL, AckMode.DELETE_MESSAGE)));

        assertThat(node.store.messages())
                .as("the last owner called the first one before it: they come again, in their order")
                .isEqualTo(2);
    }

    /** The shards of a dead node are gained one by one, and what is due is read at intervals. */
    @Test
    void a_delayed_message_that_was_running_is_counted_although_no_ready_row_is_left() {
        MessageHead delayed = node.publishDelayed(7, Duration.ofSeconds(1));
        node.elsewhere(7, new FencedWrite.Park(7, List.of(delayed)));
        node.later(Duration.ofSeconds(2));

        node.gains(1, true);
        node.relay.iterate();
        node.gains(7, true);
        node.relay.iterate();
        node.pass(Duration.ofSeconds(1));

        assertThat(node.called()).hasSize(1);
        assertThat(startsOf(List.of(delayed))).containsExactly(1);
    }

    @Test
    void a_shard_without_parked_messages_is_clean_as_soon_as_it_is_empty() {
        node.holdsAllShards(true);
        node.turns();
        node.pass(Duration.ofSeconds(3));

        assertThat(node.relay.idleLeases()).hasSize(64);
    }

    @Test
    void a_start_that_was_counted_is_taken_back_although_nothing_else_is_suspect_any_more() {
        MessageHead delayed = node.publishDelayed(7, Duration.ofSeconds(2));
        node.publish(7 + 64);
        node.holdsAllShards(true);
        node.turns();
        Call other = node.calls.poll();
        node.pass(Duration.ofMillis(100));
        node.later(Duration.ofSeconds(2));
        node.unanswered = "startable";
        node.succeeds(other);
        assertThat(node.unanswered).isEmpty();
        assertThat(node.called()).isEmpty();
        assertThat(node.store.starts(delayed)).isEqualTo(1);

        node.relay.requestHandOver(64, "other");
        node.turns();

        assertThat(node.relay.heldShards()).isZero();
        assertThat(node.store.starts(delayed))
                .as("its next owner would take this for a death")
                .isZero();
    }

    @Test
    void a_shard_with_suspects_is_neither_handed_over_nor_released_as_clean() {
        node.publish(7);
        node.holdsAllShards(true);
        assertThat(node.relay.idleLeases()).as("before it was read").noneMatch(lease -> lease.shard() == 7);
        node.turns();

        assertThat(node.relay.idleLeases()).noneMatch(lease -> lease.shard() == 7);
        node.succeeds(node.calls.poll());
        node.pass(Duration.ofSeconds(1));
        assertThat(node.relay.idleLeases()).as("it was seen empty").anyMatch(lease -> lease.shard() == 7);
    }

    @Test
    void an_error_forgets_no_suspects() {
        List<MessageHead> heads = List.of(node.publish(7));
        node.holdsAllShards(true);
        node.cut = "ready";
        node.turns();
        node.pass(Duration.ofSeconds(1));
        node.turns();

        assertThat(node.called()).hasSize(1);
        assertThat(startsOf(heads)).containsExactly(1);
    }

    @Test
    void shards_that_may_have_suspects_are_not_handed_over() {
        node.holdsAllShards(true);
        node.relay.requestHandOver(64, "other");
        node.turns();

        assertThat(node.relay.leases()).hasSize(64);
    }

    @Test
    void one_with_a_suspect_is_not_asked_to_leave_so_its_other_events_are_called() {
        node.publish(7);
        node.holdsAllShards(true);
        node.turns();
        assertThat(node.called()).hasSize(1);
        node.pass(Duration.ofSeconds(3));
        node.relay.requestHandOver(64, "other");
        node.publish(7 + LaneHash.SHARDS);
        node.turns();

        assertThat(node.called()).hasSize(1);
        assertThat(node.relay.leases()).extracting(Lease::shard).contains(7).hasSizeLessThan(64);
    }

    @Test
    void a_shard_that_another_node_has_taken_holds_up_no_other_one() {
        node.publish(7);
        node.publish(8);
        node.holdsAllShards(true);
        node.store.shards().take(node.store.shards().all().get(7), "other").orElseThrow();

        node.turns();

        assertThat(node.called())
                .extracting(call -> call.delivery().head().lane())
                .containsExactly(8L);
        assertThat(node.relay.leases()).hasSize(63).noneMatch(lease -> lease.shard() == 7);
    }

    private List<Integer> startsOf(List<MessageHead> heads) {
        return heads.stream().map(node.store::starts).toList();
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
