package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A node that counts as dead still has a transaction open, with a message that it was running. */
class LockedSuspectsTest {
    private static final int SHARD = 7;
    private static final int MORE_THAN_THERE_MAY_BE_SUSPECTS = 199;

    private final LoneRelay node = new LoneRelay(HungCallsTest.limits(4), OutboxConfig.Retry.DEFAULTS);
    private final MessageHead first = node.publish(SHARD);
    private final MemoryTransaction open = node.store.begin();

    LockedSuspectsTest() {
        open.claim(first);
        node.holdsAllShards(true);
    }

    @Test
    void a_suspect_whose_row_is_locked_remains_one_although_as_many_others_have_been_counted_as_there_may_be() {
        othersAreDone();
        assertThat(node.relay.idleLeases())
                .as("its next owner would take the shard for clean")
                .extracting(Lease::shard)
                .doesNotContain(SHARD);
        open.rollback();

        node.pass(Duration.ofSeconds(2));
        assertThat(node.called()).hasSize(1);
        assertThat(node.store.starts(first)).isOne();
    }

    @Test
    void a_locked_suspect_that_the_dead_node_completes_does_not_keep_the_shard() {
        othersAreDone();
        publish(MORE_THAN_THERE_MAY_BE_SUSPECTS + 1);
        node.turns();
        Call last = node.calls.poll();
        complete();

        node.relay.requestHandOver(64, "other");
        node.succeeds(last);

        assertThat(node.store.ports().shards().all().get(SHARD).owner()).isEqualTo("other");
    }

    @Test
    void a_start_that_was_not_counted_because_the_dead_nodes_transaction_was_open_is_forgotten() {
        node.turns();
        assertThat(node.called()).isEmpty();
        complete();

        node.pass(Duration.ofSeconds(2));
        assertThat(node.relay.idleLeases()).as("nothing is left").hasSize(64);
    }

    private void othersAreDone() {
        IntStream.rangeClosed(1, MORE_THAN_THERE_MAY_BE_SUSPECTS).forEach(this::publish);
        assertThat(node.calledWithin(Duration.ofSeconds(5), Duration.ofMillis(20)))
                .hasSize(MORE_THAN_THERE_MAY_BE_SUSPECTS);
    }

    /** Of another aggregate in the same shard. */
    private void publish(int number) {
        node.publish(SHARD + 64L * number);
    }

    private void complete() {
        open.acknowledge(first, LoneRelay.MAIL, AckMode.DELETE_MESSAGE);
        open.commit();
    }
}
