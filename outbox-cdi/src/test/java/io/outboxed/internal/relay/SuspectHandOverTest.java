package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a shard that may have suspects is handed over, released or kept. */
class SuspectHandOverTest {
    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS);

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
        node.statements.unanswered = "startable";
        node.succeeds(other);
        assertThat(node.statements.unanswered).isEmpty();
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
}
