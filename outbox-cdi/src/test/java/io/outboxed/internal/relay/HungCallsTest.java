package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.LaneHash;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A call may never end. What waits behind it must not take the memory that other aggregates need. */
class HungCallsTest {
    private static final int MAX_IN_MEMORY = 32;
    private static final OutboxConfig.Retry RETRY =
            new OutboxConfig.Retry(5, Duration.ofSeconds(3), 1, Duration.ofSeconds(3), false);
    private static final long HUNG_LANE = 7;
    private static final long OTHER_LANE = 7 + 64;
    /** Of a shard, read by lane. */
    private static final int LONG_LANES = 16;

    private static final int MOST_OF_A_LANE = 8;
    private static final Duration AFTER_THE_COMMIT_LAG = Duration.ofSeconds(70);

    private final LoneRelay node = new LoneRelay(
            limits(MAX_IN_MEMORY),
            RETRY,
            Map.of(
                    new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL,
                    new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL),
            List.of());

    @Test
    void retries_behind_a_hung_call_leave_room_for_those_of_other_aggregates() {
        node.holdsAllShards(false);
        Call hung = retryThatHangs();

        node.relay.late(hung);

        assertThat(retriesOfTheOtherLane()).isPositive();
    }

    @Test
    void retries_behind_a_hung_call_of_a_lost_lease_leave_room_for_those_of_other_aggregates() {
        node.holdsAllShards(false);
        retryThatHangs();

        List.copyOf(node.relay.leases()).forEach(node.relay::lost);
        node.holdsAllShards(false);

        assertThat(retriesOfTheOtherLane()).isPositive();
    }

    @Test
    void retries_are_found_behind_those_of_many_hung_calls() {
        LoneRelay wide = new LoneRelay(RETRY).holdsAllShards(false);
        LongStream.range(1_000, 1_000 + 100).forEach(wide::publish);
        wide.turns();
        wide.called().forEach(wide::fails);
        int hung = 0;
        while (hung < 100) {
            wide.pass(Duration.ofSeconds(1));
            hung += hang(wide);
        }
        List.copyOf(wide.relay.leases()).forEach(wide.relay::lost);
        wide.holdsAllShards(false);

        wide.publish(OTHER_LANE);
        wide.turns();
        wide.fails(wide.calls.poll());
        wide.pass(Duration.ofSeconds(4));

        assertThat(wide.calls.poll().delivery().head().lane()).isEqualTo(OTHER_LANE);
    }

    private static int hang(LoneRelay node) {
        List<Call> called = node.called();
        called.forEach(call -> node.calls.late(List.of(call)));
        return called.size();
    }

    @Test
    void payloads_behind_a_hung_call_leave_room_for_other_aggregates() {
        LoneRelay large = new LoneRelay(RETRY).holdsAllShards(false);
        String mebibyte = "x".repeat(1 << 20);
        long version = large.store.handlers().snapshot().version();
        for (int lane = 0; lane < 80; lane++) {
            large.store.insert(UUID.randomUUID(), LoneRelay.TYPE, 100 + lane, version, 0, mebibyte);
        }
        large.pass(Duration.ofSeconds(1));
        for (List<Call> hung = large.called(); !hung.isEmpty(); hung = large.called()) {
            hung.forEach(call -> large.calls.late(List.of(call)));
            hung.forEach(large.relay::late);
        }

        large.publish(1);
        large.pass(Duration.ofSeconds(1));

        assertThat(large.called())
                .extracting(call -> call.delivery().head().lane())
                .contains(1L);
    }

    @Test
    void once_the_hung_call_has_ended_what_waited_behind_it_is_called() {
        node.holdsAllShards(false);
        Call hung = retryThatHangs();
        node.relay.late(hung);
        node.pass(Duration.ofSeconds(1));

        node.succeeds(hung);
        node.pass(Duration.ofSeconds(1));

        assertThat(node.called())
                .extracting(call -> call.delivery().head().lane())
                .contains(HUNG_LANE);
    }

    @Test
    void what_has_left_memory_behind_hung_calls_is_not_taken_for_committed_late() {
        LoneRelay crowded = new LoneRelay(RETRY).holdsAllShards(false);
        for (int lane = 0; lane <= LONG_LANES; lane++) {
            for (int event = 0; event < 2 * MOST_OF_A_LANE; event++) {
                crowded.publish(HUNG_LANE + lane * LaneHash.SHARDS);
                crowded.turns();
            }
        }
        List<Call> hung = crowded.called();
        assertThat(hung).isNotEmpty();
        for (int i = 0; i < 12; i++) {
            crowded.pass(AFTER_THE_COMMIT_LAG);
        }
        hung.forEach(crowded.relay::late);

        try (CapturedLog log = new CapturedLog()) {
            for (int second = 0; second < 150; second++) {
                crowded.pass(Duration.ofSeconds(1));
            }

            assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0418"));
        }
        assertThat(crowded.store.messages()).as("they wait").isPositive();
    }

    static OutboxConfig.Relay limits(int maxInMemory) {
        return OutboxConfig.Relay.DEFAULTS.withMaxInMemory(maxInMemory);
    }

    /** Both handlers have more deliveries waiting than fit into memory. */
    private Call retryThatHangs() {
        failsForBothHandlers(HUNG_LANE);
        for (int i = 0; i < 2 * MAX_IN_MEMORY; i++) {
            node.publish(HUNG_LANE);
            node.turns();
        }
        node.pass(Duration.ofSeconds(1));
        failsForBothHandlers(OTHER_LANE);
        Call first = null;
        while (first == null) {
            node.pass(Duration.ofMillis(100));
            first = node.calls.poll();
        }
        assertThat(first.delivery().head().lane()).isEqualTo(HUNG_LANE);
        return first;
    }

    /** One event waits for one handler, the next one for the other. */
    private void failsForBothHandlers(long lane) {
        node.publish(lane);
        node.turns();
        node.fails(node.calls.poll());
        node.succeeds(node.calls.poll());
        node.publish(lane);
        node.turns();
        node.fails(node.calls.poll());
    }

    private long retriesOfTheOtherLane() {
        for (int i = 0; i < 10; i++) {
            node.pass(Duration.ofSeconds(1));
        }
        return node.called().stream()
                .filter(call -> call.delivery().head().lane() == OTHER_LANE)
                .count();
    }
}
