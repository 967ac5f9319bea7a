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
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How a call ends, and the time that it takes. */
class WorkerTest {
    private static final Lease LEASE = new Lease(0, "me", 1);

    private long now;
    private boolean handlersBreak;
    private final RecordingBackend figures = new RecordingBackend();
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final CallQueue calls = new CallQueue(1);
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> now / 1_000_000);

    private OutboxConfig config = OutboxConfig.DEFAULTS;

    @Test
    void a_call_is_timed_whether_it_succeeds_or_fails() {
        leaseClock.beat(leaseClock.stamp("me"));

        worker(new Outcome.Done(true)).run(call(), now);
        worker(new Outcome.Failed(new IllegalStateException("no"))).run(call(), now);

        assertThat(times("none")).containsExactly(Duration.ofMillis(250).toNanos());
        assertThat(times("java.lang.IllegalStateException"))
                .containsExactly(Duration.ofMillis(250).toNanos());
    }

    @Test
    void a_call_that_must_not_begin_is_not_timed() {
        worker(new Outcome.Done(true)).run(call(), now);

        assertThat(figures.timeSeries()).as("poll only").isEqualTo(1);
    }

    @Test
    void an_error_ends_the_call_and_frees_its_place() {
        leaseClock.beat(leaseClock.stamp("me"));
        StackOverflowError error = new StackOverflowError();
        calls.add(call());
        calls.add(call());
        List<Outcome> outcomes = new ArrayList<>();
        Worker worker = worker(
                () -> {
                    throw error;
                },
                outcomes);

        assertThat(worker.run(calls.poll(), now)).isNull();

        assertThat(outcomes).containsExactly(new Outcome.Unknown(error));
        assertThat(calls.poll()).as("its handler has a share of one").isNotNull();
    }

    @Test
    void an_error_outside_the_handler_ends_the_call_too() {
        leaseClock.beat(leaseClock.stamp("me"));
        StackOverflowError error = new StackOverflowError();
        calls.add(new Call(
                () -> {
                    throw error;
                },
                call().delivery(),
                LEASE,
                null));
        calls.add(call());
        List<Outcome> outcomes = new ArrayList<>();

        worker(() -> new Outcome.Done(true), outcomes).run(calls.poll(), now);

        assertThat(outcomes).containsExactly(new Outcome.Unknown(error));
        assertThat(calls.poll()).isNotNull();
    }

    @Test
    void an_error_in_the_report_loses_neither_the_call_nor_its_place() {
        leaseClock.beat(leaseClock.stamp("me"));
        Call behind = call();
        Call first = new Call(() -> false, call().delivery(), LEASE, behind);
        calls.add(first);
        calls.add(call());
        List<Call> reported = new ArrayList<>();
        boolean[] outOfMemory = {true};
        Worker worker = worker(() -> new Outcome.Done(true), (call, outcome) -> {
            if (outOfMemory[0]) {
                throw new OutOfMemoryError("in a test");
            }
            assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
            reported.add(call);
        });

        assertThatThrownBy(() -> worker.run(calls.poll(), now)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(worker::reportLost).isInstanceOf(OutOfMemoryError.class);
        outOfMemory[0] = false;
        worker.reportLost();

        assertThat(reported).containsExactlyInAnyOrder(first, behind);
        assertThat(calls.poll()).as("its handler has a share of one").isNotNull();
    }

    @Test
    void a_long_series_whose_reports_fail_is_not_lost_with_little_room_in_memory() {
        leaseClock.beat(leaseClock.stamp("me"));
        config = OutboxConfig.DEFAULTS.withRelay(
                OutboxConfig.Relay.DEFAULTS.withWorkers(1).withMaxInMemory(1));
        Call first = call();
        for (int i = 1; i < 100; i++) {
            first = new Call(() -> false, call().delivery(), LEASE, first);
        }
        calls.add(first);
        List<Call> reported = new ArrayList<>();
        boolean[] outOfMemory = {true};
        Worker worker = worker(() -> new Outcome.Done(true), (call, outcome) -> {
            if (outOfMemory[0]) {
                throw new OutOfMemoryError("in a test");
            }
            reported.add(call);
        });

        assertThatThrownBy(() -> worker.run(calls.poll(), now)).isInstanceOf(OutOfMemoryError.class);
        outOfMemory[0] = false;
        worker.reportLost();

        assertThat(reported).hasSize(100);
    }

    @Test
    void an_error_before_the_call_loses_neither_the_call_nor_its_place() {
        leaseClock.beat(leaseClock.stamp("me"));
        Call behind = call();
        Call first = new Call(() -> false, call().delivery(), LEASE, behind);
        calls.add(first);
        calls.add(call());
        List<Call> reported = new ArrayList<>();
        Worker worker = worker(() -> new Outcome.Done(true), (call, outcome) -> {
            assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
            reported.add(call);
        });
        handlersBreak = true;

        assertThatThrownBy(() -> worker.runSeries(calls.poll())).isInstanceOf(StackOverflowError.class);
        worker.reportLost();

        assertThat(reported).containsExactly(first, behind);
        assertThat(calls.poll()).as("its handler has a share of one").isNotNull();
    }

    private List<Long> times(String error) {
        return figures.times("messaging.process.duration{event.type=placed,handler=ship,error.type=" + error + "}");
    }

    private Call call() {
        MessageHead head = store.insert(UUID.randomUUID(), "placed", 0, 1, 0, "fine");
        return new Call(() -> false, new Delivery(head, null, "ship", 1, AckMode.DELETE_MESSAGE), LEASE, null);
    }

    private Worker worker(Outcome outcome) {
        return worker(() -> outcome, new ArrayList<>());
    }

    private Worker worker(Supplier<Outcome> handler, List<Outcome> outcomes) {
        return worker(handler, (call, outcome) -> outcomes.add(outcome));
    }

    private Worker worker(Supplier<Outcome> handler, BiConsumer<Call, Outcome> ended) {
        HandlerInvoker deliveries = new TakesTime(handler);
        RelayDependencies parts = new RelayDependencies(
                store.ports(),
                deliveries,
                config,
                () -> now,
                () -> 0,
                () -> 0.5,
                new Notifications() {},
                new OutboxMeters(figures, "shop", true),
                List.of());
        return new Worker(
                parts,
                calls,
                new RunningCalls(calls::late, () -> now, Duration.ofMinutes(1)),
                leaseClock,
                Reports.to(parts, call -> {}, ended));
    }

    private final class TakesTime implements HandlerInvoker {
        private final Supplier<Outcome> handler;

        private TakesTime(Supplier<Outcome> handler) {
            this.handler = handler;
        }

        @Override
        public Set<HandlerKey> all() {
            return Set.of(new HandlerKey("placed", "ship"));
        }

        @Override
        public String group(HandlerKey handler) {
            return handler.handler();
        }

        @Override
        public HandlerMode mode(HandlerKey handler) {
            if (handlersBreak) {
                throw new StackOverflowError("in a test");
            }
            return HandlerMode.TRANSACTIONAL;
        }

        @Override
        public String circuit(MessageHead message, String handler) {
            return handler;
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            now += Duration.ofMillis(250).toNanos();
            return handler.get();
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            return FailureClassifier.Verdict.RETRY;
        }
    }
}
