package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More is due than fits into memory. */
@ExtendWith(SilentLog.class)
class RoomForRetriesTest {
    private static final int MAX_IN_MEMORY = 8;
    private static final int BACKLOGS = 4;
    private static final int LONG = 100;
    private static final int PAGE = 32;
    private static final long LATER_LANE = 10;
    private static final Duration LATER = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_aggregate_gets_its_turn_although_backlogs_of_others_that_were_due_earlier_fill_the_memory(boolean claims) {
        LoneRelay node = node(claims);
        LongStream.rangeClosed(1, BACKLOGS).forEach(node::publish);
        fail(node, BACKLOGS);
        for (int i = 1; i < LONG; i++) {
            LongStream.rangeClosed(1, BACKLOGS).forEach(node::publish);
        }
        node.publish(LATER_LANE);
        fail(node, 1);
        node.pass(LATER);

        List<Long> called = new ArrayList<>();
        for (int i = 0; i < 2_000 && called.size() <= BACKLOGS * LONG; i++) {
            for (Call call : node.called()) {
                called.add(call.delivery().head().lane());
                node.succeeds(call);
            }
            node.pass(Duration.ofMillis(60));
        }

        assertThat(called).hasSize(BACKLOGS * LONG + 1);
        assertThat(called.indexOf(LATER_LANE)).isLessThanOrEqualTo(BACKLOGS * PAGE);
    }

    private static void fail(LoneRelay node, int calls) {
        int failed = 0;
        for (int i = 0; i < 50; i++) {
            node.pass(Duration.ofMillis(20));
            for (Call call : node.called()) {
                node.fails(call);
                failed++;
            }
        }
        assertThat(failed).isEqualTo(calls);
    }

    private static LoneRelay node(boolean claims) {
        OutboxConfig.Relay limits = HungCallsTest.limits(MAX_IN_MEMORY);
        OutboxConfig.Retry retry = new OutboxConfig.Retry(5, LATER.dividedBy(2), 1, LATER.dividedBy(2), false);
        LoneRelay node = claims ? LoneRelay.claimingLanes(limits, retry) : new LoneRelay(limits, retry);
        return node.holdsAllShards(false);
    }
}
