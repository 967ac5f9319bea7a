package io.outboxed.internal.relay;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A handler keeps ending its calls, but there are more than it can do in time. Others must not wait for it. */
@ExtendWith(SilentLog.class)
class OverloadedHandlerTest extends OverloadFixture {
    @Test
    void events_of_other_types_are_called_behind_its_burst() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 4_000);
        node.publish(1, OTHER_TYPE);

        work(node, Duration.ofSeconds(8), SECOND);

        assertThat(called).extracting(Call::handler).contains(SHIPPER.handler());
    }

    /** Their pages have all the room that there is for such aggregates; memory is not full. */
    @Test
    void so_is_an_aggregate_with_many_events_behind_many_such_aggregates() {
        LoneRelay node = new LoneRelay(
                        1,
                        OutboxConfig.Relay.DEFAULTS.withMaxInMemory(400),
                        RETRY,
                        Map.of(AUDIT, HandlerMode.TRANSACTIONAL, SHIPPER, HandlerMode.TRANSACTIONAL))
                .holdsAllShards(false);
        LongStream.range(0, 30 * 60).forEach(i -> node.publish(10_000 + i % 30));
        work(node, Duration.ofSeconds(28), STEP);
        LongStream.range(0, 40).forEach(i -> node.publish(1, OTHER_TYPE));

        work(node, Duration.ofSeconds(20), SECOND);

        assertThat(called)
                .filteredOn(call -> call.handler().equals(SHIPPER.handler()))
                .hasSize(40);
    }

    /** Its shards have their share of memory, which is not full. */
    @Test
    void so_are_events_of_other_types_on_a_node_with_few_shards() {
        LoneRelay node = new LoneRelay(
                SHARE, RETRY, Map.of(AUDIT, HandlerMode.TRANSACTIONAL, SHIPPER, HandlerMode.TRANSACTIONAL));
        for (int shard = 0; shard < 13; shard++) {
            node.gains(shard, false);
        }
        for (int i = 0; i < 13 * 200; i++) {
            node.publish(640L + i / 5 / 13 * 64 + i % 13);
        }
        node.publish(1, OTHER_TYPE);

        work(node, Duration.ofSeconds(8), SECOND);

        assertThat(called).extracting(Call::handler).contains(SHIPPER.handler());
    }

    /** It claims 500 lanes at most, which is less than it may have calls. */
    @Test
    void so_are_events_of_other_types_in_lanes_that_the_node_has_no_room_to_claim() {
        LoneRelay node = LoneRelay.claimingLanes(
                        WORKERS, RETRY, Map.of(AUDIT, HandlerMode.TRANSACTIONAL, SHIPPER, HandlerMode.TRANSACTIONAL))
                .holdsAllShards(false);
        burst(node, 1_500);
        node.publish(1, OTHER_TYPE);

        work(node, Duration.ofSeconds(12), SECOND);

        assertThat(called).extracting(Call::handler).contains(SHIPPER.handler());
    }

    @Test
    void several_slow_handlers_are_overloaded_together() {
        List<String> types = List.of(LoneRelay.TYPE, "billed", "returned");
        LoneRelay node = relay(
                new HandlerKey(types.get(0), "First.slow"),
                new HandlerKey(types.get(1), "Second.slow"),
                new HandlerKey(types.get(2), "Third.slow"),
                SHIPPER);
        LongStream.range(10_000, 14_000).forEach(lane -> node.publish(lane, types.get((int) (lane % 3))));
        node.publish(1, OTHER_TYPE);

        work(node, Duration.ofSeconds(15), SECOND);

        assertThat(called).extracting(Call::handler).contains(SHIPPER.handler());
    }

    @Test
    void its_own_workers_are_hardly_ever_idle_meanwhile() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 4_000);

        work(node, Duration.ofSeconds(30), SECOND);

        assertThat(called).hasSizeGreaterThan(SHARE * 28);
    }

    @Test
    void its_events_are_called_once_and_in_order() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        LongStream.range(0, 2_400).forEach(i -> node.publish(10_000 + i % 300));

        work(node, Duration.ofSeconds(120), Duration.ofMillis(200));

        assertThat(called)
                .extracting(call -> call.delivery().head().seq())
                .hasSizeGreaterThan(SHARE * 5 * 115)
                .doesNotHaveDuplicates();
        called.stream()
                .collect(groupingBy(call -> call.delivery().head().lane()))
                .values()
                .forEach(lane -> assertThat(lane)
                        .extracting(call -> call.delivery().head().seq())
                        .isSorted());
    }

    @Test
    void few_of_its_waiting_deliveries_are_counted_before_they_are_called() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 2_000);

        work(node, Duration.ofSeconds(40), SECOND);

        assertThat(node.calls.load() - running.size()).as("queued, and counted").isBetween(1, 8 * SHARE);
    }
}
