package io.outboxed.internal.relay.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.spi.FailureClassifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Calls of a forwarder: what begins before what has ended. */
class PipelinedCallsTest {
    private static final Lease LEASE = new Lease(0, "me", 1);

    private long now;
    private long beginningTakes;
    private boolean clockBreaks;
    private final RecordingBackend figures = new RecordingBackend();
    private Worker worker;
    private RunningCalls running;
    private final List<Call> late = new ArrayList<>();
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private CallQueue calls = new CallQueue(1);
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> now / 1_000_000);
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private int mostTogether = 128;
    /** Awaited by each beginning that has begun. */
    private CountDownLatch beginnings = new CountDownLatch(0);

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
    void an_error_ends_its_own_call_only() {
        calls.add(call("a1 throws at begin", null));
        calls.add(call("b1 throws at end", null));
        calls.add(call("c1", null));

        run();

        assertThat(log).contains("a1 throws at begin Unknown", "b1 throws at end Unknown", "c1 ok");
        assertThat(calls.load()).isZero();
    }

    @Test
    void a_report_that_fails_loses_no_other_one() {
        calls.add(call("a1 unreported", null));
        calls.add(call("b1 fails", null));

        assertThatThrownBy(this::run).isInstanceOf(OutOfMemoryError.class);

        assertThat(log).contains("b1 fails Failed");
        assertThat(calls.load()).isZero();
    }

    @Test
    void after_a_report_that_fails_what_follows_in_other_lanes_is_reported_later() {
        calls.add(call("a1 unreported", null));
        calls.add(call("b1", call("b2", call("b3", null))));

        assertThatThrownBy(this::run).isInstanceOf(OutOfMemoryError.class);
        worker.reportLost();

        assertThat(log).contains("b1 ok", "a1 unreported Unknown", "b2 Unknown", "b3 Unknown");
        assertThat(calls.load()).isZero();
    }

    @Test
    void an_error_between_the_calls_and_their_reports_loses_none() {
        calls.add(call("a1", call("a2", null)));
        calls.add(call("b1", null));
        clockBreaks = true;

        assertThatThrownBy(this::run).isInstanceOf(StackOverflowError.class);
        clockBreaks = false;
        worker.reportLost();

        assertThat(log).containsExactly("begin a1", "a1 Unknown", "a2 Unknown", "b1 Unknown");
        assertThat(calls.load()).isZero();
    }

    @Test
    void an_error_while_they_are_taken_loses_none() {
        calls.add(call("a1", call("a2", null)));
        calls.add(call("b1", null));
        calls.add(new Call(() -> false, new Delivery(null, null, "forward", 1, AckMode.DELETE_MESSAGE), LEASE, null));

        assertThatThrownBy(this::run).as("its size is not known").isInstanceOf(NullPointerException.class);
        worker.reportLost();

        assertThat(log).containsExactly("a1 Unknown", "a2 Unknown");
        assertThat(calls.load()).as("the others are still queued").isEqualTo(2);
        assertThat(name(calls.poll().delivery())).isEqualTo("b1");
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

    private void run() {
        prepare();
        worker.runSeries(calls.poll());
    }

    private void prepare() {
        leaseClock.beat(leaseClock.stamp("me"));
        RelayDependencies parts = new RelayDependencies(
                store.ports(),
                new Forwards(),
                OutboxConfig.DEFAULTS,
                this::nanos,
                () -> 0,
                () -> 0.5,
                new Notifications() {},
                new OutboxMeters(figures, "shop", true),
                List.of());
        running = new RunningCalls(
                together -> {
                    late.addAll(together);
                    calls.late(together);
                },
                () -> now,
                Duration.ofMinutes(1));
        worker = new Worker(
                parts,
                calls,
                running,
                leaseClock,
                Reports.to(
                        parts,
                        call -> succeeded(name(call.delivery())),
                        (call, outcome) -> log.add(
                                name(call.delivery()) + " " + outcome.getClass().getSimpleName())));
    }

    /** Once a call has begun, there may be no memory for the next object. */
    private long nanos() {
        if (clockBreaks && !log.isEmpty()) {
            throw new StackOverflowError("in a test");
        }
        return now;
    }

    private void succeeded(String name) {
        if (name.endsWith("unreported")) {
            throw new OutOfMemoryError();
        }
        log.add(name + " ok");
    }

    private Call call(String name, Call next) {
        return call(name, 4, next);
    }

    private Call call(String name, int bytes, Call next) {
        MessageHead head = store.insert(UUID.randomUUID(), name, 0, 1, 0, "x".repeat(bytes));
        return new Call(() -> false, new Delivery(head, null, "forward", 1, AckMode.DELETE_MESSAGE), LEASE, next);
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String name(Delivery delivery) {
        return delivery.head().type();
    }

    private final class Forwards implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return Set.of(new HandlerKey(HandlerKey.ANY_TYPE, "forward"));
        }

        @Override
        public String group(HandlerKey handler) {
            return handler.handler();
        }

        @Override
        public HandlerMode mode(HandlerKey handler) {
            return HandlerMode.FORWARDER;
        }

        @Override
        public int mostTogether(HandlerKey handler) {
            return mostTogether;
        }

        @Override
        public Supplier<Outcome> begin(Delivery delivery, Lease lease, Predicate<Lease> isValid) {
            String name = name(delivery);
            log.add("begin " + name);
            assertThat(lease).isEqualTo(LEASE);
            assertThat(isValid.test(lease)).isTrue();
            now += beginningTakes;
            beginnings.countDown();
            assertThat(awaited(beginnings)).as("the others begin").isTrue();
            if (!isValid.test(lease)) {
                log.add("lease is over");
            }
            if (name.endsWith("at begin")) {
                throw new StackOverflowError();
            }
            return () -> {
                log.add("end " + name);
                if (name.endsWith("hangs")) {
                    now += Duration.ofMinutes(2).toNanos();
                    running.interruptLate();
                }
                if (name.endsWith("at end")) {
                    throw new StackOverflowError();
                }
                return name.endsWith("fails")
                        ? new Outcome.Failed(new IllegalStateException(name))
                        : new Outcome.Done(false);
            };
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            return begin(delivery, LEASE, leaseClock::isValid).get();
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            return FailureClassifier.Verdict.RETRY;
        }
    }
}
