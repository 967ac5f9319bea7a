package io.outboxed.internal.relay.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Calls of a forwarder: what begins before what has ended. */
class PipelinedCallsTest extends PipelineFixture {
    @Test
    void calls_of_different_lanes_begin_before_the_first_one_ends() {
        calls.add(call("a1", null));
        calls.add(call("b1", null));
        calls.add(call("c1", null));

        run();

        assertThat(log)
                .containsExactly(
                        "begin a1", "begin b1", "begin c1", "end a1", "end b1", "end c1", "a1 ok", "b1 ok", "c1 ok");
        assertThat(calls.load()).isZero();
    }

    @Test
    void all_workers_take_part_if_a_handler_takes_one_event_at_a_time() {
        calls = new CallQueue(4);
        mostTogether = 1;
        beginnings = new CountDownLatch(4);
        for (String name : List.of("a1", "b1", "c1", "d1", "e1")) {
            calls.add(call(name, null));
        }
        prepare();

        List<CompletableFuture<Void>> workers = Stream.generate(() -> CompletableFuture.runAsync(
                        () -> Optional.ofNullable(calls.poll()).ifPresent(worker::runSeries),
                        task -> new Thread(task).start()))
                .limit(4)
                .toList();
        workers.forEach(CompletableFuture::join);

        assertThat(log).contains("a1 ok", "b1 ok", "c1 ok", "d1 ok").doesNotContain("begin e1");
        assertThat(calls.load()).isEqualTo(1);
    }

    @Test
    void the_next_event_of_a_lane_begins_when_the_one_before_it_has_ended() {
        calls.add(call("a1", call("a2", call("a3", null))));
        calls.add(call("b1", call("b2", null)));

        run();

        assertThat(log.indexOf("begin a2")).isGreaterThan(log.indexOf("end a1"));
        assertThat(log.indexOf("begin a3")).isGreaterThan(log.indexOf("end a2"));
        assertThat(log.indexOf("begin b2")).isGreaterThan(log.indexOf("end b1"));
        assertThat(log.indexOf("begin b2")).as("beside the other lane").isLessThan(log.indexOf("end a2"));
        assertThat(log).contains("a3 ok", "b2 ok");
    }

    @Test
    void after_a_failure_the_rest_of_its_lane_is_not_reached_and_the_other_lanes_go_on() {
        calls.add(call("a1 fails", call("a2", null)));
        calls.add(call("b1", call("b2", null)));

        run();

        assertThat(log)
                .contains("a1 fails Failed", "a2 NotReached", "b1 ok", "b2 ok")
                .doesNotContain("begin a2");
        assertThat(calls.load()).isZero();
    }

    @Test
    void each_call_takes_the_time_that_it_has_occupied_its_worker() {
        for (String name : List.of("a1", "b1", "c1")) {
            calls.add(call(name, null));
        }
        beginningTakes = Duration.ofMillis(10).toNanos();

        run();

        assertThat(figures.times("messaging.process.duration{event.type=b1,handler=forward,error.type=none}"))
                .containsExactly(beginningTakes);
        assertThat(figures.times("messaging.process.duration{event.type=a1,handler=forward,error.type=none}"))
                .containsExactly(beginningTakes);
    }

    @Test
    void a_beginning_that_takes_long_leaves_the_rest_for_later() {
        calls.add(call("a1", null));
        calls.add(call("b1", null));
        beginningTakes = Duration.ofSeconds(2).toNanos();

        run();

        assertThat(log).containsExactly("begin a1", "end a1", "a1 ok", "b1 NotBegun");
    }

    @Test
    void a_beginning_can_ask_whether_its_lease_is_over_meanwhile() {
        calls.add(call("a1", null));
        beginningTakes = Duration.ofSeconds(9).toNanos();

        run();

        assertThat(log).containsExactly("begin a1", "lease is over", "end a1", "a1 ok");
    }

    @Test
    void together_they_count_as_one_call_of_their_handler() {
        calls.add(call("a1", null));
        calls.add(call("b1", null));
        calls.add(call("c1", null));
        Call first = calls.poll();
        assertThat(calls.takeTogether(first, 2, 1_000_000)).hasSize(2);

        assertThat(calls.load()).as("one is queued").isEqualTo(2);
        assertThat(calls.poll()).as("a share of one").isNull();
        calls.ended(first);
        assertThat(calls.load()).isEqualTo(1);
        assertThat(calls.poll()).isNotNull();
    }

    @Test
    void all_that_run_together_are_late() {
        calls.add(call("a1", null));
        calls.add(call("b1", null));
        calls.add(call("c1 hangs", null));

        run();

        assertThat(late).extracting(call -> name(call.delivery())).containsExactly("a1", "b1", "c1 hangs");
        assertThat(calls.load()).isZero();
    }

    @Test
    void large_ones_run_beside_each_other_as_far_as_memory_for_other_handlers_remains() {
        int workers = OutboxConfig.DEFAULTS.relay().workers();
        int quarter = (int) PipelinedCalls.MOST_BYTES / workers / 4;
        calls.add(call("a1", quarter, call("a2", quarter, null)));
        calls.add(call("b1", quarter, null));
        calls.add(call("c1", quarter + 1, null));
        calls.add(call("d1", quarter, null));

        run();

        assertThat(log).contains("a2 ok", "b1 ok").doesNotContain("begin c1", "begin d1");
        assertThat(calls.load()).isEqualTo(2);
    }
}
