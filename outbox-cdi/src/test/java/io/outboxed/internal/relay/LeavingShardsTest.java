package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A shard moves when nothing is running in it. What if a call does not end? */
class LeavingShardsTest {
    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS).holdsAllShards(false);

    @Test
    void idle_shards_leave_first_and_at_once() {
        node.publish(7);
        node.turns();
        assertThat(node.calls.poll()).as("it runs").isNotNull();

        node.relay.requestHandOver(32, "other");
        node.turns();

        assertThat(node.relay.heldShards()).isEqualTo(32);
        assertThat(node.relay.leases()).anyMatch(lease -> lease.shard() == 7);
    }

    @Test
    void a_hung_call_stops_the_other_aggregates_of_its_shard_for_a_second_only() {
        node.publish(7);
        node.turns();
        node.calls.poll();
        node.relay.requestHandOver(64, "other");
        node.publish(7 + 64);
        node.turns();
        assertThat(node.calls.poll()).as("it leaves").isNull();

        node.pass(Duration.ofMillis(1_100));

        assertThat(node.calls.poll().delivery().head().lane()).isEqualTo(7 + 64);
    }

    /** The commit of the hand-over that was cut may still hold the lock. */
    @Test
    void a_shard_that_may_have_left_is_not_continued_while_its_row_is_locked() {
        node.relay.requestHandOver(1, "other");
        node.statements.cut = "handOver";
        node.statements.locked = "handOver";
        node.publish(0);
        node.turns();

        node.pass(Duration.ofSeconds(5));

        assertThat(node.calls.load()).as("its next owner may be calling").isZero();
        node.statements.locked = "";
        node.turns();
        assertThat(node.relay.leases()).hasSize(63).noneMatch(lease -> lease.shard() == 0);
    }

    @Test
    void a_shard_whose_row_is_locked_by_another_continues_after_a_second() {
        node.relay.requestHandOver(64, "other");
        node.statements.locked = "handOver";
        node.publish(7);
        node.turns();

        node.pass(Duration.ofMillis(1_100));

        assertThat(node.calls.poll().delivery().head().lane()).isEqualTo(7);
    }

    /** Its next owner would take it for clean. Nothing but the time of those who wait would be gained by trying. */
    @Test
    void a_shard_whose_last_owner_died_works_on_although_only_another_node_has_a_handler() {
        LoneRelay older = new LoneRelay(
                OutboxConfig.Retry.DEFAULTS,
                Map.of(new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL),
                SimulatedHandlers.registrations(
                        Map.of(new HandlerKey("audited", LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL)));
        older.holdsAllShards(true);
        older.publish(7, "audited");
        MessageHead head = older.publish(7 + 64);
        older.turns();
        Call counted = older.calls.poll();
        assertThat(older.store.starts(head)).isEqualTo(1);

        older.relay.requestHandOverToNewer("other");
        older.isNotBegun(counted);

        assertThat(older.store.starts(head)).as("it may run at once").isEqualTo(1);
        assertThat(older.calls.poll()).isNotNull();
    }
}
