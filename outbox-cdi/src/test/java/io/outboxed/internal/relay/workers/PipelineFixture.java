package io.outboxed.internal.relay.workers;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A worker that calls a forwarder. An event's type is its name, and says how its call ends. */
abstract class PipelineFixture {
    static final Lease LEASE = new Lease(0, "me", 1);

    private long now;
    long beginningTakes;
    final RecordingBackend figures = new RecordingBackend();
    Worker worker;
    private RunningCalls running;
    final List<Call> late = new ArrayList<>();
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    CallQueue calls = new CallQueue(1);
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> now / 1_000_000);
    final List<String> log = Collections.synchronizedList(new ArrayList<>());
    int mostTogether = 128;
    /** Awaited by each beginning that has begun. */
    CountDownLatch beginnings = new CountDownLatch(0);

    void run() {
        prepare();
        worker.runSeries(calls.poll());
    }

    void prepare() {
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

    long nanos() {
        return now;
    }

    private void succeeded(String name) {
        if (name.endsWith("unreported")) {
            throw new OutOfMemoryError();
        }
        log.add(name + " ok");
    }

    Call call(String name, Call next) {
        return call(name, 4, next);
    }

    Call call(String name, int bytes, Call next) {
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

    static String name(Delivery delivery) {
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
