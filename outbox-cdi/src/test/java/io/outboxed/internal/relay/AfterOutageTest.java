package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An outage that no read meets: the database that answers after it may have fewer rows, and give numbers again. */
class AfterOutageTest {
    private static final int SHARD = 40;
    private static final Duration LAG = OutboxConfig.DEFAULTS.relay().commitLag();

    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS).holdsAllShards(false);
    private final MessageHead passed = node.begin(SHARD);

    @Test
    void what_has_a_number_that_was_passed_before_the_outage_is_read_at_once() {
        List<Call> calls = callsWhenItWasPassed();
        node.statements.cut = "write";
        calls.forEach(node::fails);

        assertThatItIsCalled();
    }

    /** The loop's own connection is closed with it, and the loop gets another one without an error. */
    @Test
    void so_it_is_if_only_an_acknowledger_has_met_the_outage() throws InterruptedException {
        List<Call> calls = callsWhenItWasPassed();
        calls.forEach(node::succeedsUnrecorded);
        node.statements.cut = "acknowledge";
        node.recordsSuccesses();

        assertThatItIsCalled();
    }

    /** @return calls of another event */
    private List<Call> callsWhenItWasPassed() {
        for (int i = 0; i < 4; i++) {
            node.publish(SHARD + 64);
            node.pass(LAG.plusSeconds(1));
            node.called().forEach(node::succeeds);
        }
        node.commit(passed);
        node.turns();
        assertThat(node.called()).as("the low-water mark is above it").isEmpty();
        node.publish(SHARD + 1);
        node.turns();
        return node.called();
    }

    private void assertThatItIsCalled() {
        assertThat(node.called())
                .extracting(call -> call.delivery().head().seq())
                .contains(passed.seq());
    }
}
