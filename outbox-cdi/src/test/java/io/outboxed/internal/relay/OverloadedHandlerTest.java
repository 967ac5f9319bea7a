package io.outboxed.internal.relay;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A handler keeps ending its calls, but there are more than it can do in time. Others must not wait for it. */
@ExtendWith(SilentLog.class)
class OverloadedHandlerTest {
    private static final int SHARE = 4;
    private static final int WORKERS = 2 * SHARE;
    private static final String OTHER_TYPE = "shipped";
    private static final HandlerKey AUDIT = new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT);
    private static final HandlerKey SHIPPER = new HandlerKey(OTHER_TYPE, "Shipper.ship");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration STEP = Duration.ofMillis(100);
    private static final OutboxConfig.Retry RETRY =
            new OutboxConfig.Retry(5, Duration.ofSeconds(3), 1, Duration.ofSeconds(3), false);

    private final List<Call> called = new ArrayList<>();
    private final Deque<Running> running = new ArrayDeque<>();
    private long time;

    private record Running(Call call, long until) {}

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
    void once_it_has_caught_up_an_event_is_called_without_a_waiting_row() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 600);
        work(node, Duration.ofSeconds(8), SECOND);
        assertThat(node.store.waitRows()).as("it is overloaded").isPositive();
        work(node, Duration.ofSeconds(170), SECOND);
        assertThat(node.store.waitRows()).isZero();

        node.publish(1);
        node.turns();

        assertThat(node.calls.poll().handler()).isEqualTo(AUDIT.handler());
        assertThat(node.store.waitRows()).isZero();
    }

    @Test
    void after_its_burst_bursts_that_have_room_do_not_prolong_it() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 600);
        work(node, Duration.ofSeconds(154), SECOND);
        for (int i = 1; i <= 4; i++) {
            LongStream.range(i * 100_000, i * 100_000 + 12).forEach(node::publish);
            work(node, Duration.ofSeconds(6), SECOND);
        }

        node.publish(1);
        node.turns();

        assertThat(node.store.waitRows()).isZero();
    }

    @Test
    void calls_that_wait_for_less_than_five_seconds_write_no_rows() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 3_000);

        for (int i = 0; i < 20; i++) {
            work(node, SECOND, Duration.ofMillis(30));
            assertThat(node.store.waitRows()).isZero();
        }
        assertThat(called).hasSizeGreaterThan(SHARE * 20 * 30);
    }

    @Test
    void it_remains_overloaded_while_its_calls_would_wait_for_that_long_again() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        Duration each = Duration.ofMillis(40);
        burst(node, 4_000);
        work(node, Duration.ofSeconds(8), each);
        assertThat(node.store.waitRows()).isPositive();

        for (int second = 1; second <= 20; second++) {
            LongStream.range(second * 100_000, second * 100_000 + 200).forEach(node::publish);
            work(node, SECOND, each);
            node.publish(second, OTHER_TYPE);
            called.clear();
            work(node, STEP, each);
            assertThat(called).extracting(Call::handler).contains(SHIPPER.handler());
        }
    }

    @Test
    void it_is_still_overloaded_after_an_outage_of_the_database() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 4_000);
        work(node, Duration.ofSeconds(8), SECOND);
        List<Call> ended = node.calls.takeBack(call -> true);
        running.forEach(each -> ended.add(each.call()));
        running.clear();
        node.later(Duration.ofSeconds(30));
        time += Duration.ofSeconds(30).toNanos();
        node.succeed(ended);
        int before = node.store.waitRows();

        LongStream.range(20_000, 20_100).forEach(node::publish);
        work(node, SECOND, SECOND);

        assertThat(node.store.waitRows()).isGreaterThan(before + 100);
    }

    @Test
    void an_outage_of_the_database_does_not_make_a_handler_overloaded() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 3_000);
        work(node, Duration.ofSeconds(6), Duration.ofMillis(30));
        List<Call> calls = new ArrayList<>();
        LongStream.range(1, SHARE).forEach(i -> calls.add(node.calls.poll()));

        node.later(Duration.ofSeconds(30));
        calls.add(node.calls.poll());
        node.succeed(calls);
        work(node, Duration.ofSeconds(2), Duration.ofMillis(30));

        assertThat(node.store.waitRows()).isZero();
    }

    @Test
    void nor_does_a_burst_that_has_just_come() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        work(node, Duration.ofSeconds(9), Duration.ofMillis(30));
        burst(node, 1_000);

        work(node, Duration.ofSeconds(4), Duration.ofMillis(100));

        assertThat(node.store.waitRows()).isZero();
    }

    @Test
    void nor_do_calls_that_nobody_waits_for() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 100);

        work(node, Duration.ofSeconds(20), SECOND);

        assertThat(node.store.waitRows()).isZero();
    }

    @Test
    void nor_do_calls_for_which_others_wait_only_in_another_part_of_memory() {
        HandlerKey biller = new HandlerKey("billed", "Biller.bill");
        LoneRelay node = new LoneRelay(
                        1,
                        OutboxConfig.Relay.DEFAULTS.withMaxInMemory(400),
                        RETRY,
                        Map.of(
                                AUDIT, HandlerMode.TRANSACTIONAL,
                                biller, HandlerMode.TRANSACTIONAL,
                                SHIPPER, HandlerMode.TRANSACTIONAL))
                .holdsAllShards(false);
        LongStream.range(0, 30 * 60).forEach(i -> node.publish(10_000 + i % 30));
        work(node, Duration.ofSeconds(28), STEP);
        LongStream.range(1, 16).forEach(lane -> node.publish(lane, biller.type()));

        try (CapturedLog log = new CapturedLog()) {
            work(node, Duration.ofSeconds(14), SECOND);
            assertThat(log.lines)
                    .filteredOn(line -> line.contains("OUTBOX-0481"))
                    .singleElement()
                    .asString()
                    .contains(AUDIT.handler());
        }
    }

    @Test
    void nor_do_retries_so_new_events_are_called_beside_them() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 1_000);
        node.turns();
        for (List<Call> calls = node.called(); !calls.isEmpty(); calls = node.called()) {
            calls.forEach(node::fails);
        }
        work(node, Duration.ofSeconds(12), Duration.ofMillis(100));
        called.clear();

        node.publish(1);
        work(node, Duration.ofSeconds(8), Duration.ofMillis(100));

        assertThat(called)
                .extracting(call -> call.delivery().head().lane())
                .contains(1L)
                .hasSizeGreaterThan(SHARE * 70);
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
    void few_of_its_waiting_deliveries_are_counted_before_they_are_called() {
        LoneRelay node = relay(AUDIT, SHIPPER);
        burst(node, 2_000);

        work(node, Duration.ofSeconds(40), SECOND);

        assertThat(node.calls.load() - running.size()).as("queued, and counted").isBetween(1, 8 * SHARE);
    }

    @Test
    void the_only_handler_is_never_overloaded() {
        LoneRelay node = relay(AUDIT);
        burst(node, 1_000);

        work(node, Duration.ofSeconds(15), SECOND);

        assertThat(node.store.waitRows()).isZero();
    }

    @Test
    void one_that_takes_batches_is_never_overloaded() {
        LoneRelay node = new LoneRelay(
                        SHARE, RETRY, Map.of(AUDIT, HandlerMode.BATCHED, SHIPPER, HandlerMode.TRANSACTIONAL))
                .holdsAllShards(false);
        burst(node, 1_000);

        work(node, Duration.ofSeconds(15), SECOND);

        assertThat(node.store.waitRows()).isZero();
    }

    /** Each type has one handler. */
    private static LoneRelay relay(HandlerKey... handlers) {
        return new LoneRelay(
                        SHARE,
                        RETRY,
                        Stream.of(handlers).collect(toMap(each -> each, each -> HandlerMode.TRANSACTIONAL)))
                .holdsAllShards(false);
    }

    /** Each in an aggregate of its own. */
    private static void burst(LoneRelay node, int events) {
        LongStream.range(10_000, 10_000 + events).forEach(node::publish);
    }

    /** @param ofEachCall of all handlers but one, whose calls end at once */
    private void work(LoneRelay node, Duration time, Duration ofEachCall) {
        long end = this.time + time.toNanos();
        long step = Math.min(STEP.toNanos(), ofEachCall.toNanos());
        node.turns();
        while (this.time < end) {
            begin(node, ofEachCall);
            node.pass(Duration.ofNanos(step));
            this.time += step;
            while (!running.isEmpty() && running.peekFirst().until() <= this.time) {
                Call ended = running.pollFirst().call();
                node.succeeds(ended);
            }
        }
    }

    private void begin(LoneRelay node, Duration ofEachCall) {
        while (running.size() < WORKERS) {
            Call call = node.calls.poll();
            if (call == null) {
                return;
            }
            called.add(call);
            if (call.handler().equals(SHIPPER.handler())) {
                node.succeeds(call);
            } else {
                running.addLast(new Running(call, time + ofEachCall.toNanos()));
            }
        }
    }
}
