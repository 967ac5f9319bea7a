package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.LaneHash;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Suspects that can't be started yet, because others are running that were running at a death too. */
class WaitingSuspectsTest {
    /** What a node may have started in a shard: {@code ShardOwnership} and {@code ShardCursor.ROOM}. */
    private static final int SUSPECTS_IN_A_SHARD = 100 + OutboxConfig.Relay.DEFAULTS.maxInMemory() / 4;

    private static final int HANGS = 7;
    private static final int KILLS = HANGS + LaneHash.SHARDS;

    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS);

    @Test
    void a_message_that_kills_its_nodes_is_given_up_however_many_of_its_shard_are_started_before_its_turn() {
        node.publishWithStarts(HANGS, 1);
        node.publishWithStarts(KILLS, 2);
        for (int i = 2; i < SUSPECTS_IN_A_SHARD + 2; i++) {
            node.publish(HANGS + i * LaneHash.SHARDS);
        }
        node.holdsAllShards(true);
        node.turns();
        Call hangs = null;
        int others = 0;
        for (List<Call> called = node.called(); !called.isEmpty(); called = node.called()) {
            for (Call call : called) {
                assertThat(lane(call)).isNotEqualTo(KILLS);
                if (lane(call) == HANGS) {
                    hangs = call;
                } else {
                    node.succeeds(call);
                    others++;
                }
            }
        }
        assertThat(others).as("as many as can be suspect").isEqualTo(SUSPECTS_IN_A_SHARD);
        assertThat(node.store.deadMessages()).as("its turn has not come").isEmpty();

        node.succeeds(hangs);

        assertThat(node.called()).isEmpty();
        assertThat(node.store.deadMessages()).hasSize(1);
    }

    private static long lane(Call call) {
        return call.delivery().head().lane();
    }
}
