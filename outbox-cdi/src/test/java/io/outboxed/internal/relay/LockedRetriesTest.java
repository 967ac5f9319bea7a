package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node that counts as dead still has a transaction open, with a message of which it was making a further attempt. */
class LockedRetriesTest {
    private static final long LANE = 7;
    private static final Duration LONG = Duration.ofSeconds(30);

    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS).holdsAllShards(false);

    @Test
    void no_attempt_begins_before_its_row_is_free_and_none_of_another_aggregate_waits_for_it() {
        node.publish(LANE);
        node.publish(LANE + 1);
        node.turns();
        List<Call> calls = node.called();
        calls.forEach(node::fails);
        MessageHead stored = calls.get(0).delivery().head();
        MemoryTransaction frozen = node.store.begin();
        frozen.claim(stored.withVersion(stored.version() + 1));

        node.pass(LONG);

        assertThat(node.called())
                .as("a worker would wait for the row")
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.delivery().head().lane()).isEqualTo(LANE + 1);
                    node.succeeds(call);
                });

        frozen.rollback();
        node.pass(Duration.ofSeconds(1));
        assertThat(node.called())
                .singleElement()
                .satisfies(call -> assertThat(call.delivery().attempt()).isEqualTo(2));
    }
}
