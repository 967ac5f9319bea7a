package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which handler counts as overloaded, and for how long. */
@ExtendWith(SilentLog.class)
class OverloadDetectionTest extends OverloadFixture {
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
}
