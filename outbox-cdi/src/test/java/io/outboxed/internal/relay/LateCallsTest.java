package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A handler takes too long: its thread is interrupted or replaced, and others are called meanwhile. */
@ExtendWith(SilentLog.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LateCallsTest extends LiveNodeFixture {
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
}
