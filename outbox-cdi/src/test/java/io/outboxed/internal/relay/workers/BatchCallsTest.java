package io.outboxed.internal.relay.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.ClaimLostException;
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
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What follows from the call of several events. An event is named after what it does. */
@ExtendWith(SilentLog.class)
class BatchCallsTest {
    private static final Lease LEASE = new Lease(0, "me", 1);
    private static final String HANDLER = "Stock.batch";

    private long now;
    private long aCallTakes;
    private boolean cancelled;
    private int clockBreaksAfter = Integer.MAX_VALUE;
    private Worker worker;
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final CallQueue calls = new CallQueue(1);
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(100), () -> now, () -> now / 1_000_000);
    private final List<String> log = new ArrayList<>();

    @BeforeEach
    void beat() {
        leaseClock.beat(leaseClock.stamp("me"));
    }

    @Test
    void a_success_is_that_of_all() {
        run("a", "b", "c");

        assertThat(log).containsExactly("call a b c", "a Done", "b Done", "c Done");
        assertThat(calls.load()).isZero();
    }

    @Test
    void after_a_failure_each_is_called_alone_and_the_first_that_fails_is_the_one_that_has_failed() {
        run("a", "b", "c fails", "d");

        assertThat(log)
                .containsExactly(
                        "call a b c fails d",
                        "call a",
                        "a Done",
                        "call b",
                        "b Done",
                        "call c fails",
                        "c fails Failed",
                        "d NotReached");
        assertThat(calls.load()).isZero();
    }

    @Test
    void a_claim_that_is_lost_costs_the_others_nothing() {
        run("a", "b loses", "c");

        assertThat(log)
                .containsExactly(
                        "call a b loses c", "call a", "a Done", "call b loses", "b loses Lost", "c NotReached");
    }

    @Test
    void a_handler_that_can_not_take_several_takes_each_alone() {
        run("a", "b alone", "c");

        assertThat(log).endsWith("call a", "a Done", "call b alone", "b alone Done", "call c", "c Done");
    }

    @Test
    void a_call_that_exceeds_the_timeout_is_a_failure_of_its_first_event_and_is_not_repeated() {
        aCallTakes = OutboxConfig.DEFAULTS.handler().timeout().toNanos();
        run("a", "b fails", "c");

        assertThat(log).containsExactly("call a b fails c", "a Failed", "b fails NotReached", "c NotReached");
        assertThat(calls.load()).isZero();
    }

    @Test
    void a_slow_success_is_a_success() {
        aCallTakes = OutboxConfig.DEFAULTS.handler().timeout().toNanos();
        run("a", "b");

        assertThat(log).containsExactly("call a b", "a Done", "b Done");
    }

    @Test
    void slow_calls_of_single_events_give_the_worker_back_after_a_second() {
        aCallTakes = Duration.ofMillis(600).toNanos();
        run("a", "b", "c", "d fails");

        assertThat(log)
                .containsExactly(
                        "call a b c d fails",
                        "call a",
                        "a Done",
                        "call b",
                        "b Done",
                        "c NotReached",
                        "d fails NotReached");
    }

    @Test
    void the_next_event_waits_for_a_success_that_is_still_to_be_recorded() {
        run("a", "b falls back", "c fails");

        assertThat(log)
                .containsExactly(
                        "call a b falls back c fails",
                        "call a",
                        "a Done",
                        "call b falls back",
                        "b falls back recorded",
                        "c fails NotReached");
    }

    @Test
    void without_a_lease_nothing_begins() {
        cancelled = true;
        run("a", "b");

        assertThat(log).containsExactly("a NotBegun", "b NotReached");
        assertThat(calls.load()).isZero();
    }

    @Test
    void an_error_outside_the_handler_ends_every_call() {
        run("a breaks", "b");

        assertThat(log).containsExactly("call a breaks b", "call a breaks", "a breaks Unknown", "b NotReached");
        assertThat(calls.load()).isZero();
    }

    @Test
    void a_report_that_fails_loses_no_other_one() {
        assertThatThrownBy(() -> run("a", "b unreported", "c")).isInstanceOf(OutOfMemoryError.class);

        assertThat(log).containsExactly("call a b unreported c", "a Done", "c Done");
        assertThat(calls.load()).isZero();
    }

    @Test
    void an_error_between_two_reports_loses_no_call() {
        clockBreaksAfter = 1;
        assertThatThrownBy(() -> run("a", "b", "c fails")).isInstanceOf(StackOverflowError.class);
        clockBreaksAfter = Integer.MAX_VALUE;
        worker.reportLost();

        assertThat(log).containsExactly("call a b c fails", "a Unknown", "b Unknown", "c fails Unknown");
        assertThat(calls.load()).isZero();
    }

    @Test
    void an_error_before_the_first_call_loses_none() {
        clockBreaksAfter = 0;
        assertThatThrownBy(() -> run("a", "b")).isInstanceOf(StackOverflowError.class);
        clockBreaksAfter = Integer.MAX_VALUE;
        worker.reportLost();

        assertThat(log).containsExactly("a Unknown", "b Unknown");
        assertThat(calls.load()).isZero();
    }

    @Test
    void one_event_is_an_ordinary_call() {
        run("a");

        assertThat(log).containsExactly("call a", "a Done");
    }

    private void run(String... names) {
        Call call = null;
        for (int i = names.length - 1; i >= 0; i--) {
            call = call(names[i], call);
        }
        calls.add(call);
        RelayDependencies parts = new RelayDependencies(
                store.ports(),
                new Batched(),
                OutboxConfig.DEFAULTS,
                this::nanos,
                () -> 0,
                () -> 0.5,
                new Notifications() {});
        worker = new Worker(
                parts,
                calls,
                new RunningCalls(calls::late, () -> now, Duration.ofMinutes(1)),
                leaseClock,
                Reports.to(
                        parts,
                        success -> log.add(name(success.delivery()) + " recorded"),
                        (ended, outcome) -> ended(name(ended.delivery()), outcome)));
        worker.runSeries(calls.poll());
    }

    private long nanos() {
        if (log.size() >= clockBreaksAfter) {
            throw new StackOverflowError("in a test");
        }
        return now;
    }

    private void ended(String name, Outcome outcome) {
        if (name.endsWith("unreported")) {
            throw new OutOfMemoryError();
        }
        log.add(name + " " + outcome.getClass().getSimpleName());
    }

    private Call call(String name, Call next) {
        MessageHead head = store.insert(UUID.randomUUID(), name, 0, 1, 0, "fine");
        return new Call(() -> cancelled, new Delivery(head, null, HANDLER, 1, AckMode.DELETE_MESSAGE), LEASE, next);
    }

    private static String name(Delivery delivery) {
        return delivery.head().type();
    }

    private final class Batched implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return Set.of(new HandlerKey(HandlerKey.ANY_TYPE, HANDLER));
        }

        @Override
        public String group(HandlerKey handler) {
            return handler.handler();
        }

        @Override
        public HandlerMode mode(HandlerKey handler) {
            return HandlerMode.BATCHED;
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            return deliverTogether(List.of(delivery));
        }

        @Override
        public Outcome deliverTogether(List<Delivery> deliveries) {
            log.add("call " + deliveries.stream().map(BatchCallsTest::name).collect(Collectors.joining(" ")));
            now += aCallTakes;
            Outcome outcome = new Outcome.Done(true);
            for (Delivery delivery : deliveries) {
                String name = name(delivery);
                if (name.endsWith("fails") || name.endsWith("alone") && deliveries.size() > 1) {
                    return new Outcome.Failed(new IllegalStateException(name));
                }
                if (name.endsWith("loses")) {
                    return new Outcome.Lost(new ClaimLostException(name));
                }
                if (name.endsWith("breaks")) {
                    throw new StackOverflowError();
                }
                if (name.endsWith("back")) {
                    outcome = new Outcome.Done(false);
                }
            }
            return outcome;
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            return FailureClassifier.Verdict.RETRY;
        }
    }
}
