package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More is due than fits into memory. */
@ExtendWith(SilentLog.class)
@Timeout(60)
class RoomForRetriesTest {
    private static final int MAX_IN_MEMORY = 8;
    private static final int BACKLOGS = 4;
    private static final int LONG = 100;
    private static final int PAGE = 32;
    private static final long LATER_LANE = 1;
    private static final long FIRST_LANE = 2;
    private static final long PARKED_LANE = 100;
    private static final Duration LATER = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_aggregate_gets_its_turn_although_backlogs_of_others_that_were_due_earlier_fill_the_memory(boolean claims) {
        LoneRelay node = node(claims);
        backlogs(node);

        assertThat(callsBefore(node, LATER_LANE)).isLessThanOrEqualTo(BACKLOGS * PAGE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void once_its_retry_has_succeeded_its_next_event_does_not_wait_for_room(boolean claims) {
        LoneRelay node = node(claims);
        backlogs(node);
        callsBefore(node, LATER_LANE);

        assertThat(node.store.reads().waits(List.of(LATER_LANE))).isEmpty();
    }

    /** Its delayed event was cancelled, so that none of its rows is parked. */
    @Test
    void a_parked_aggregate_remains_so_without_room_while_events_behind_a_late_call_are_locked() {
        LoneRelay node = node(false);
        backlogs(node);
        node.publish(PARKED_LANE);
        MessageHead behind = node.publish(PARKED_LANE);
        MessageHead delayed = node.publishDelayed(PARKED_LANE, LATER);
        node.turns();
        Call late = node.called().stream()
                .filter(call -> call.delivery().head().lane() == PARKED_LANE)
                .findFirst()
                .orElseThrow();
        node.cancel(delayed);
        MemoryTransaction other = node.store.begin();
        other.claim(behind);

        node.relay.late(late);
        node.succeeds(late);

        assertThat(node.store.reads().waits(List.of(PARKED_LANE))).containsEntry(PARKED_LANE, Set.of(LaneWait.PARKED));
    }

    /** The first event of each waits for its retry, and the others behind it; those of one more aggregate are due last. */
    private static void backlogs(LoneRelay node) {
        LongStream.range(0, BACKLOGS).forEach(i -> node.publish(FIRST_LANE + i));
        fail(node, BACKLOGS);
        for (int i = 1; i < LONG; i++) {
            LongStream.range(0, BACKLOGS).forEach(lane -> node.publish(FIRST_LANE + lane));
        }
        node.publish(LATER_LANE);
        fail(node, 1);
        node.pass(LATER);
    }

    /** @return after how many other calls the event of this lane is called */
    private static int callsBefore(LoneRelay node, long lane) {
        int others = 0;
        while (true) {
            List<Call> called = node.called();
            node.succeed(called);
            if (called.stream().anyMatch(call -> call.delivery().head().lane() == lane)) {
                return others;
            }
            others += called.size();
            node.pass(Duration.ofMillis(20));
        }
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
