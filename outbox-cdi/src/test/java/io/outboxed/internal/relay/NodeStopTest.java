package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Relay;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a node with its threads waits for when it stops, and what it releases. */
@ExtendWith(SilentLog.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeStopTest extends LiveNodeFixture {
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

    /** The server ends its threads before the application, which stops the node. */
    @Test
    void a_call_that_ends_after_the_threads_of_its_node_is_recorded_and_its_shard_is_released() throws SQLException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        try (LiveNode live = new LiveNode(config(2, Duration.ZERO), delivery -> {
            begun.countDown();
            hang(released);
            return DONE;
        })) {
            endThreadsDuringCall(live, begun);
            released.countDown();

            live.node.stop();

            assertThat(live.isEmpty()).isTrue();
            assertThat(live.releasedShards()).isEqualTo(64);
        }
    }

    @Test
    void what_fails_while_a_stop_does_the_work_of_ended_threads_does_not_keep_its_shards() throws SQLException {
        AtomicBoolean stopping = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        try (LiveNode live = new LiveNode(
                config(2, Duration.ZERO),
                delivery -> {
                    begun.countDown();
                    hang(released);
                    return DONE;
                },
                store -> ObservedStore.of(store, new ObservedStore.Observer() {
                    @Override
                    public void before(String call) {
                        if (stopping.get() && call.startsWith("ack")) {
                            throw new StackOverflowError("in a driver");
                        }
                    }
                }))) {
            endThreadsDuringCall(live, begun);
            stopping.set(true);
            released.countDown();

            live.node.stop();

            assertThat(live.releasedShards()).isEqualTo(63);
        }
    }

    /** A silent database: each answer is given up only after a while. */
    @Test
    void once_its_time_is_up_a_stop_does_no_further_work_of_ended_threads() throws SQLException {
        AtomicBoolean stopping = new AtomicBoolean();
        AtomicReference<LiveNode> slow = new AtomicReference<>();
        List<String> statements = new CopyOnWriteArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        OutboxConfig config = config(2, Duration.ZERO);
        try (LiveNode live = new LiveNode(
                config.withRelay(config.relay().withDrain(Duration.ofMinutes(1))),
                delivery -> {
                    begun.countDown();
                    hang(released);
                    return DONE;
                },
                store -> ObservedStore.of(store, new ObservedStore.Observer() {
                    @Override
                    public void before(String call) {
                        if (stopping.get()) {
                            slow.get().ahead.addAndGet(Duration.ofMinutes(2).toNanos());
                            statements.add(call);
                        }
                    }
                }))) {
            slow.set(live);
            endThreadsDuringCall(live, begun);
            released.countDown();
            live.until("its success is to be recorded", () -> live.threads() == 0);
            stopping.set(true);

            live.node.stop();

            assertThat(statements).contains("release").doesNotContain("acknowledge");
        }
    }

    private static void endThreadsDuringCall(LiveNode live, CountDownLatch begun) throws SQLException {
        live.until("it holds all shards", () -> live.node.status().shards() == 64);
        live.publishHere(7);
        live.until("the handler hangs", () -> begun.getCount() == 0);
        live.endThreads();
        live.until("only the call is left", () -> live.threads() == 1);
    }

    private static boolean isDraining(Thread stopping) {
        return stopping.getState() == Thread.State.TIMED_WAITING
                && Arrays.stream(stopping.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("drain"));
    }
}
