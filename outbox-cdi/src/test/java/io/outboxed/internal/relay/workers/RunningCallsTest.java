package io.outboxed.internal.relay.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.node.FailingLog;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The time that a call may take. The test's thread is the worker, and the supervisor too. */
class RunningCallsTest {
    private final List<List<Call>> late = new ArrayList<>();
    private final CapturedLog log = new CapturedLog();
    private long now;

    private RunningCalls running(Duration timeout) {
        return new RunningCalls(late::add, () -> now, timeout);
    }

    @AfterEach
    void end() {
        log.close();
        Thread.interrupted();
    }

    @Test
    void a_call_is_interrupted_once_when_its_time_is_over_and_not_before() {
        RunningCalls calls = running(Duration.ofSeconds(2));
        Call call = call();
        calls.begin(List.of(call));

        now += Duration.ofSeconds(2).toNanos();
        assertThat(calls.interruptLate()).isZero();
        assertThat(Thread.interrupted()).isFalse();

        now++;
        assertThat(calls.interruptLate()).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(late).containsExactly(List.of(call));
        assertThat(log.lines).singleElement().asString().contains("OUTBOX-0415 handler ship");

        now += Duration.ofHours(1).toNanos();
        assertThat(calls.interruptLate()).as("it is stuck").isEqualTo(1);
        assertThat(Thread.interrupted()).as("it was interrupted before").isFalse();
        assertThat(late).hasSize(1);
    }

    @Test
    void a_call_that_could_not_be_reported_for_lack_of_memory_is_reported_and_interrupted_later() {
        boolean[] noMemory = {true};
        RunningCalls calls = new RunningCalls(
                together -> {
                    if (noMemory[0]) {
                        throw new OutOfMemoryError("in a test");
                    }
                    late.add(together);
                },
                () -> now,
                Duration.ofSeconds(2));
        Call call = call();
        calls.begin(List.of(call));
        now += Duration.ofSeconds(3).toNanos();
        assertThatThrownBy(calls::interruptLate).isInstanceOf(OutOfMemoryError.class);

        noMemory[0] = false;
        assertThat(calls.interruptLate()).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(late).containsExactly(List.of(call));
    }

    @Test
    void a_call_is_interrupted_although_that_can_not_be_logged() {
        RunningCalls calls = running(Duration.ofSeconds(2));
        calls.begin(List.of(call()));
        now += Duration.ofSeconds(3).toNanos();
        try (FailingLog noMemory = new FailingLog("OUTBOX-0415")) {
            assertThatThrownBy(calls::interruptLate).isInstanceOf(StackOverflowError.class);
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void at_the_end_of_the_relay_running_calls_are_interrupted_and_those_that_begin_meanwhile() {
        RunningCalls calls = running(Duration.ZERO);
        calls.begin(List.of(call()));
        assertThat(Thread.interrupted()).isFalse();

        calls.interruptAll();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        calls.end();
        assertThat(Thread.interrupted())
                .as("it must not hit what the thread does next")
                .isFalse();

        calls.begin(List.of(call()));
        assertThat(Thread.currentThread().isInterrupted())
                .as("it was taken before the end")
                .isTrue();
    }

    @Test
    void an_interrupt_that_comes_late_does_not_reach_the_next_call() {
        RunningCalls calls = running(Duration.ofSeconds(2));
        calls.begin(List.of(call()));
        now += Duration.ofSeconds(3).toNanos();
        calls.interruptLate();
        calls.end();

        calls.begin(List.of(call()));
        assertThat(Thread.interrupted()).isFalse();
        assertThat(calls.interruptLate()).isZero();
        assertThat(calls.count()).isEqualTo(1);
    }

    @Test
    void zero_means_that_no_call_is_late() {
        RunningCalls calls = running(Duration.ZERO);
        calls.begin(List.of(call()));
        now += Duration.ofDays(100).toNanos();

        assertThat(calls.interruptLate()).isZero();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(late).isEmpty();
    }

    private static Call call() {
        UUID id = UUID.randomUUID();
        MessageHead head =
                new MessageHead(1, id, 3, 9, "placed", "order", MessageState.READY, 0, 1, 2, 0, false, null, null);
        MessageBody body = new MessageBody(1, id, "order", "o-1", Instant.EPOCH, Duration.ZERO, null, "{}", null);
        return new Call(
                () -> false, new Delivery(head, body, "ship", 1, AckMode.DELETE_MESSAGE), new Lease(3, "me", 1), null);
    }
}
