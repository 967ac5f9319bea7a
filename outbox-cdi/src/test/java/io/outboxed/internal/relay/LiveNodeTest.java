package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Handler;
import io.outboxed.internal.config.OutboxConfig.Relay;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Settings and rules that only show in a node with its threads. */
@ExtendWith(SilentLog.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LiveNodeTest extends LiveNodeFixture {
    @Test
    void as_many_calls_run_at_the_same_time_as_workers_are_configured() throws SQLException {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        List<Integer> seen = new CopyOnWriteArrayList<>();
        try (LiveNode live = new LiveNode(config(3, Duration.ofMinutes(1)), delivery -> {
            seen.add(running.incrementAndGet());
            Outcome outcome = hang(released);
            running.decrementAndGet();
            return outcome;
        })) {
            for (int lane = 0; lane < 20; lane++) {
                live.publishHere(lane);
            }
            live.until("three run", () -> running.get() == 3);
            live.node.supervise();
            assertThat(live.workers).hasValue(3);
            released.countDown();
            live.until("all are delivered", live::isEmpty);
        }
        assertThat(seen).hasSize(20).allMatch(count -> count <= 3).contains(3);
    }

    @Test
    void of_two_handlers_one_that_hangs_gets_half_of_the_workers_and_the_other_is_called() throws SQLException {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger hanging = new AtomicInteger();
        List<Long> called = new CopyOnWriteArrayList<>();
        try (LiveNode live = new LiveNode(
                config(4, Duration.ofMinutes(1)),
                Map.of(
                        "slow",
                        delivery -> {
                            hanging.incrementAndGet();
                            return hang(released);
                        },
                        "fast",
                        delivery -> {
                            called.add(delivery.head().lane());
                            return DONE;
                        }))) {
            for (int lane = 0; lane < 20; lane++) {
                live.publishHere(lane);
            }
            live.until("two calls hang", () -> hanging.get() >= 2);
            try {
                for (int lane = 20; lane < 30; lane++) {
                    long next = lane;
                    live.publishHere(lane);
                    live.until("the other one is called in lane " + lane, () -> called.contains(next));
                }
                assertThat(hanging).hasValue(2);
            } finally {
                released.countDown();
            }
            live.until("all are delivered", live::isEmpty);
        }
    }

    @Test
    void successes_are_recorded_in_batches_of_the_configured_size() throws SQLException {
        CountDownLatch allCalled = new CountDownLatch(20);
        List<Integer> batches = new CopyOnWriteArrayList<>();
        Relay three = new Relay(
                true,
                2,
                3,
                2000,
                OutboxConfig.Poll.DEFAULTS,
                Duration.ofMinutes(2),
                Duration.ofDays(1),
                Duration.ofSeconds(1),
                "",
                Set.of(),
                ClaimStrategy.SHARDS);
        ObservedStore.Observer acks = new ObservedStore.Observer() {
            @Override
            public void before(String call) {
                if (call.equals("acknowledge")) {
                    hang(allCalled);
                }
            }

            @Override
            public void after(String call, Object[] arguments, Object result) {
                if (call.equals("acknowledge")) {
                    batches.add(((List<?>) arguments[0]).size());
                }
            }
        };
        try (LiveNode live = new LiveNode(
                OutboxConfig.DEFAULTS.withRelay(three),
                delivery -> {
                    allCalled.countDown();
                    return DONE;
                },
                store -> ObservedStore.of(store, acks))) {
            for (int lane = 0; lane < 20; lane++) {
                live.publishHere(lane);
            }
            live.until("all are delivered", live::isEmpty);
        }
        assertThat(batches).allMatch(size -> size <= 3).contains(3);
        assertThat(batches.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20);
    }

    @Test
    void successes_count_against_failures_before_they_are_recorded() throws SQLException {
        int downAfter = 10;
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        ObservedStore.Observer acksHang = new ObservedStore.Observer() {
            @Override
            public void before(String call) {
                if (call.equals("acknowledge")) {
                    hang(released);
                }
            }
        };
        OutboxConfig oneWorker = config(1, Duration.ofMinutes(1))
                .withHandler(new Handler(Duration.ofMinutes(1), downAfter, Duration.ofSeconds(5), 128));
        try (CapturedLog log = new CapturedLog();
                LiveNode live = new LiveNode(
                        oneWorker,
                        delivery -> calls.incrementAndGet() % downAfter == 0
                                ? DONE
                                : new Outcome.Failed(new IllegalStateException("not for this aggregate")),
                        store -> ObservedStore.of(store, acksHang))) {
            for (int lane = 0; lane < 2 * downAfter; lane++) {
                live.publishHere(lane);
            }
            live.until("many have failed", () -> calls.get() > 5 * downAfter);
            released.countDown();
            assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0413"));
        }
    }

    /** Polls come too rarely to find it in time. */
    @Test
    void what_this_node_publishes_wakes_its_relay_after_the_commit() throws SQLException {
        AtomicInteger delivered = new AtomicInteger();
        Relay rarelyPolls = new Relay(
                true,
                2,
                500,
                2000,
                new OutboxConfig.Poll(Duration.ofHours(1), Duration.ofHours(1)),
                Duration.ofMinutes(2),
                Duration.ofDays(1),
                Duration.ofSeconds(1),
                "",
                Set.of(),
                ClaimStrategy.SHARDS);
        try (LiveNode live = new LiveNode(OutboxConfig.DEFAULTS.withRelay(rarelyPolls), delivery -> {
            delivered.incrementAndGet();
            return DONE;
        })) {
            live.until("it holds all shards", () -> live.node.status().shards() == 64);
            for (int i = 1; i <= 3; i++) {
                int count = i;
                live.publishHere(7);
                live.until("event " + i + " is delivered", () -> delivered.get() == count && live.isEmpty());
            }
        }
    }

    @Test
    void a_call_whose_report_ends_in_an_error_is_made_again() throws SQLException {
        AtomicReference<Thread> worker = new AtomicReference<>();
        AtomicInteger calls = new AtomicInteger();
        try (LiveNode live = new LiveNode(config(2, Duration.ofMinutes(1)), delivery -> {
            if (calls.incrementAndGet() > 1) {
                return DONE;
            }
            worker.set(Thread.currentThread());
            return new Outcome.Failed(new IllegalStateException("no"));
        })) {
            live.circuits = handler -> {
                if (worker.compareAndSet(Thread.currentThread(), null)) {
                    throw new StackOverflowError("in a test");
                }
                return handler;
            };
            live.publishHere(7);
            live.superviseUntil("it is delivered after all", live::isEmpty);
        }
        assertThat(calls).hasValue(2);
    }

    @Test
    void a_thread_that_has_ended_in_an_error_is_started_again() throws SQLException {
        AtomicInteger attempts = new AtomicInteger();
        ObservedStore.Observer firstFails = new ObservedStore.Observer() {
            @Override
            public void before(String call) {
                if (call.equals("acknowledge") && attempts.getAndIncrement() == 0) {
                    throw new StackOverflowError("in a test");
                }
            }
        };
        try (LiveNode live = new LiveNode(
                config(2, Duration.ofMinutes(1)), delivery -> DONE, store -> ObservedStore.of(store, firstFails))) {
            live.publishHere(7);
            live.superviseUntil("its success is recorded after all", live::isEmpty);
        }
        assertThat(attempts).hasValue(2);
    }
}
