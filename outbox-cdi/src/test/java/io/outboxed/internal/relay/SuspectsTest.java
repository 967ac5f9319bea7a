package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.Ack;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** After the death of their owner: which messages are counted before they run, and which of them hold up others. */
class SuspectsTest {
    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS);

    @Test
    void suspects_run_concurrently_even_after_a_connection_was_cut() {
        IntStream.range(0, 10).forEach(i -> node.publish(i * 64L));
        node.holdsAllShards(true);
        node.statements.unanswered = "start";
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
    void a_count_whose_answer_is_lost_does_not_count_as_another_death() {
        node.publishWithStarts(7, 1);
        node.publishWithStarts(8, 1);
        node.holdsAllShards(true);
        node.statements.unanswered = "start";
        node.turns();
        assertThat(node.statements.unanswered).isEmpty();
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
        for (int i = 0; i < 50 && node.statements.written == 0; i++) {
            node.relay.iterate();
        }
        assertThat(node.statements.written)
                .as("the first one waits for its handler")
                .isEqualTo(1);

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
    void an_error_forgets_no_suspects() {
        List<MessageHead> heads = List.of(node.publish(7));
        node.holdsAllShards(true);
        node.statements.cut = "ready";
        node.turns();
        node.pass(Duration.ofSeconds(1));
        node.turns();

        assertThat(node.called()).hasSize(1);
        assertThat(startsOf(heads)).containsExactly(1);
    }

    private List<Integer> startsOf(List<MessageHead> heads) {
        return heads.stream().map(node.store::starts).toList();
    }
}
