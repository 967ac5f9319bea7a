package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that claims lanes has less memory than a page of a long lane. */
class SmallMemoryTest {
    private static final int LONG = 20;

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 32})
    void a_long_lane_is_claimed_at_once_and_delivered_in_order(int maxInMemory) {
        LoneRelay node = LoneRelay.claimingLanes(HungCallsTest.limits(maxInMemory));
        List<MessageHead> published =
                IntStream.range(0, LONG).mapToObj(i -> node.publish(7)).toList();
        node.holdsAllShards(false);
        node.turns();

        List<Long> delivered = new ArrayList<>();
        for (int i = 0; i < 10 && delivered.size() < LONG; i++) {
            for (Call call = node.calls.poll(); call != null; call = node.calls.poll()) {
                delivered.add(call.delivery().head().seq());
                node.succeeds(call);
            }
            node.pass(Duration.ofMillis(50));
        }

        assertThat(delivered)
                .containsExactlyElementsOf(
                        published.stream().map(MessageHead::seq).toList());
    }

    /** Parked ones are left of a backlog of another node, and new ones have come since. */
    @Test
    void what_is_claimed_and_parked_is_not_read_before_that_is_stored() {
        LoneRelay node = LoneRelay.claimingLanes(OutboxConfig.Relay.DEFAULTS);
        List<MessageHead> left =
                IntStream.range(0, 3).mapToObj(i -> node.publish(7)).toList();
        node.elsewhere(7, new FencedWrite.Park(7, left));
        IntStream.range(0, 3).forEach(i -> node.publish(7));
        node.holdsAllShards(false);

        int calls = 0;
        for (int i = 0; i < 20; i++) {
            node.pass(Duration.ofMillis(50));
            for (Call call : node.called()) {
                calls++;
                assertThat(node.claims(call)).as("the row is as it was read").isTrue();
            }
        }

        assertThat(calls).isEqualTo(6);
    }
}
