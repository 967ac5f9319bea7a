package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Handler;
import io.outboxed.internal.config.OutboxConfig.Relay;
import io.outboxed.internal.config.OutboxConfig.Retry;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Settings and rules that only show in a node with its threads. */
@ExtendWith(SilentLog.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LiveNodeTest {
    private static final Outcome DONE = new Outcome.Done(false);
    private static final Retry SOON = new Retry(10, Duration.ofMillis(1), 1, Duration.ofMillis(1), false);

    /** @param timeout of a handler's call */
    private static OutboxConfig config(int workers, Duration timeout) {
        return OutboxConfig.DEFAULTS
                .withRelay(Relay.DEFAULTS.withWorkers(workers).withLease(Duration.ofDays(1)))
                .withHandler(new Handler(timeout, 0, Duration.ofSeconds(5), 128))
                .withRetry(SOON);
    }

    /** Ignores interrupts. */
    private static Outcome hang(CountDownLatch released) {
        boolean interrupted = false;
        while (true) {
            try {
                released.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted ? new Outcome.Failed(new IllegalStateException("interrupted")) : DONE;
    }

    @Test
    void a_call_that_takes_too_long_is_interrupted_and_its_message_is_tried_again() throws SQLException {
        List<Integer> interrupted = new CopyOnWriteArrayList<>();
        try (LiveNode live = new LiveNode(config(2, Duration.ofMillis(100)), delivery -> {
            if (delivery.attempt() > 1) {
                return DONE;
            }
            try {
                new CountDownLatch(1).await();
                return DONE;
            } catch (InterruptedException e) {
                interrupted.add(delivery.attempt());
                return new Outcome.Failed(e);
            }
        })) {
            live.publishHere(7);
            live.superviseUntil("it is delivered by the second attempt", live::isEmpty);
        }
        assertThat(interrupted).containsExactly(1);
    }

    @Test
    void a_stop_does_not_wait_for_a_statement_of_the_sampler() throws SQLException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        OutboxConfig config = config(1, Duration.ZERO);
        try (LiveNode live = new LiveNode(
                config.withRelay(config.relay().withDrain(Duration.ofDays(1))),
                delivery -> DONE,
                store -> BetweenStatements.eachTime(store, "clock", () -> {
                    asked.countDown();
                    hang(released);
                }))) {
            live.until("it waits for the database's clock", () -> asked.getCount() == 0);
            live.until("it holds all shards", () -> live.node.status().shards() == 64);

            live.node.stop();

            assertThat(live.releasedShards()).isEqualTo(64);
            released.countDown();
        }
    }

    @Test
    void without_a_timeout_no_call_is_interrupted_however_long_it_takes() throws SQLException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        List<Outcome> outcomes = new CopyOnWriteArrayList<>();
        try (LiveNode live = new LiveNode(config(2, Duration.ZERO), delivery -> {
            begun.countDown();
            Outcome outcome = hang(released);
            outcomes.add(outcome);
            return outcome;
        })) {
            live.publishHere(7);
            live.until("it runs", () -> begun.getCount() == 0);
            live.ahead.addAndGet(Duration.ofHours(2).toNanos());
            live.node.supervise();
            released.countDown();
            live.until("it is delivered", live::isEmpty);
        }
        assertThat(outcomes).containsExactly(DONE);
    }

    @Test
    void a_spare_worker_replaces_each_one_whose_call_is_stuck_but_no_more_than_are_configured() throws SQLException {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        try (CapturedLog log = new CapturedLog();
                LiveNode live = new LiveNode(config(1, Duration.ofMillis(50)), delivery -> {
                    begun.incrementAndGet();
                    return hang(released);
                })) {
            assertThat(live.workers).as("nothing is to be called").hasValue(0);
            live.publishHere(7);
            live.publishHere(8);
            live.publishHere(9);

            live.superviseUntil(
                    "the spare worker's call is stuck too",
                    () -> log.lines.stream().anyMatch(line -> line.contains("OUTBOX-0416 2 handler calls")));
            live.node.supervise();
            assertThat(begun).hasValue(2);
            assertThat(live.workers).hasValue(2);

            live.ahead.addAndGet(Duration.ofMinutes(2).toNanos());
            assertThat(live.node.status().noWorkerFor()).isGreaterThan(Duration.ofMinutes(1));
            released.countDown();
            live.superviseUntil("all are delivered", live::isEmpty);
            live.node.supervise();
            assertThat(live.node.status().noWorkerFor()).isZero();
        }
    }

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

    /** The server would otherwise keep the thread, and with it the classes of the application. */
    @Test
    void a_call_that_still_runs_when_its_node_has_left_is_interrupted() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (LiveNode live = new LiveNode(config(2, Duration.ZERO), delivery -> {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return DONE;
        })) {
            live.publishHere(7);
            live.until("the handler hangs", () -> begun.getCount() == 0);

            live.node.stop();

            boolean ended = interrupted.await(10, TimeUnit.SECONDS);
            released.countDown();
            assertThat(ended).isTrue();
        }
    }

    @Test
    void a_node_that_stops_while_a_handler_hangs_releases_all_other_shards() throws SQLException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        try (LiveNode live = new LiveNode(config(2, Duration.ZERO), delivery -> {
            begun.countDown();
            return hang(released);
        })) {
            live.until("it holds all shards", () -> live.node.status().shards() == 64);
            live.publishHere(7);
            live.until("the handler hangs", () -> begun.getCount() == 0);

            live.node.stop();

            assertThat(live.releasedShards()).isEqualTo(63);
            released.countDown();
        }
    }

    @Test
    void a_node_that_stops_waits_for_its_calls_as_long_as_is_configured() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        List<Outcome> outcomes = new CopyOnWriteArrayList<>();
        OutboxConfig patient = config(2, Duration.ZERO);
        Relay anHour = patient.relay().withDrain(Duration.ofHours(1));
        try (LiveNode live = new LiveNode(patient.withRelay(anHour), delivery -> {
            begun.countDown();
            Outcome outcome = hang(released);
            outcomes.add(outcome);
            return outcome;
        })) {
            live.until("it holds all shards", () -> live.node.status().shards() == 64);
            live.publishHere(7);
            live.until("the handler hangs", () -> begun.getCount() == 0);

            Thread stopping = new Thread(live.node::stop);
            AtomicInteger asked = new AtomicInteger();
            live.whenAsked = () -> {
                // when it began, until when it may drain; then half an hour has passed
                if (Thread.currentThread() == stopping && asked.incrementAndGet() == 2) {
                    live.ahead.addAndGet(Duration.ofMinutes(30).toNanos());
                }
            };
            try {
                stopping.start();
                live.until("it waits or has stopped", () -> isDraining(stopping) || !stopping.isAlive());
            } finally {
                released.countDown();
            }
            stopping.join();

            assertThat(outcomes).containsExactly(DONE);
            assertThat(live.releasedShards()).isEqualTo(64);
        }
    }

    private static boolean isDraining(Thread stopping) {
        return stopping.getState() == Thread.State.TIMED_WAITING
                && Arrays.stream(stopping.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("drain"));
    }

    @Test
    void what_waits_behind_a_call_that_takes_too_long_leaves_room_for_others() throws SQLException {
        int other = 7 + 64;
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch otherCalled = new CountDownLatch(1);
        OutboxConfig hasty = config(2, Duration.ofMillis(50));
        try (LiveNode live = new LiveNode(hasty.withRelay(hasty.relay().withMaxInMemory(8)), delivery -> {
            if (delivery.head().lane() == other) {
                otherCalled.countDown();
                return DONE;
            }
            begun.countDown();
            return hang(released);
        })) {
            live.publishHere(7);
            live.until("the handler hangs", () -> begun.getCount() == 0);
            for (int i = 0; i < 40; i++) {
                live.publishHere(7);
            }
            live.publishHere(other);
            try {
                live.superviseUntil("the other aggregate's event is called", () -> otherCalled.getCount() == 0);
            } finally {
                released.countDown();
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
