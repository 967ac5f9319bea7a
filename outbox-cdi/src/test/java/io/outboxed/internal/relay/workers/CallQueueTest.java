package io.outboxed.internal.relay.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallQueueTest {

    @Test
    void no_handler_takes_more_than_its_share() {
        CallQueue queue = new CallQueue(2);
        for (int i = 0; i < 4; i++) {
            queue.add(call("slow"));
        }
        queue.add(call("fast"));

        assertThat(queue.poll().handler()).isEqualTo("slow");
        assertThat(queue.poll().handler()).isEqualTo("fast");
        Call second = queue.poll();
        assertThat(second.handler()).isEqualTo("slow");
        assertThat(queue.poll()).isNull();

        queue.ended(second);
        assertThat(queue.poll().handler()).isEqualTo("slow");
    }

    @Test
    void late_calls_do_not_count_towards_their_handlers_share() {
        CallQueue queue = new CallQueue(2);
        for (int i = 0; i < 4; i++) {
            queue.add(call("slow"));
        }
        Call first = queue.poll();
        Call second = queue.poll();
        assertThat(queue.poll()).isNull();

        queue.late(List.of(first));
        assertThat(queue.poll()).isNotNull();
        assertThat(queue.poll()).isNull();

        queue.ended(first);
        assertThat(queue.poll()).as("it had left before").isNull();
        queue.ended(second);
        assertThat(queue.poll()).isNotNull();
    }

    @Test
    void calls_that_can_not_be_taken_back_for_lack_of_memory_stay_in_the_queue() {
        CallQueue queue = new CallQueue(1);
        List<Call> calls = List.of(call("one"), call("one"), call("other"));
        calls.forEach(queue::add);
        AtomicInteger asked = new AtomicInteger();

        assertThatThrownBy(() -> queue.takeBack(call -> {
                    if (asked.incrementAndGet() == 3) {
                        throw new OutOfMemoryError("in a test");
                    }
                    return true;
                }))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(queue.load()).isEqualTo(3);
        assertThat(queue.takeBack(call -> true)).containsExactlyInAnyOrderElementsOf(calls);
        assertThat(queue.load()).isZero();
    }

    @Test
    void handlers_take_turns() {
        CallQueue queue = new CallQueue(8);
        for (int i = 0; i < 3; i++) {
            queue.add(call("a"));
            queue.add(call("b"));
        }

        assertThat(queue.poll().handler()).isEqualTo("a");
        assertThat(queue.poll().handler()).isEqualTo("b");
        assertThat(queue.poll().handler()).isEqualTo("a");
    }

    @Test
    void load_counts_what_is_queued_and_what_runs() {
        CallQueue queue = new CallQueue(8);
        queue.add(call("a"));
        queue.add(call("a"));
        Call running = queue.poll();
        assertThat(queue.load()).isEqualTo(2);

        queue.ended(running);
        assertThat(queue.load()).isEqualTo(1);
    }

    @Test
    void unattended_are_the_calls_that_may_begin() {
        CallQueue queue = new CallQueue(2);
        AtomicInteger shortages = new AtomicInteger();
        queue.onShortage(shortages::incrementAndGet);
        for (int i = 0; i < 4; i++) {
            queue.add(call("slow"));
        }
        queue.add(call("fast"));
        assertThat(shortages).hasValue(5);
        assertThat(queue.unattended()).as("two slow ones and the fast one").isEqualTo(3);

        queue.poll();
        queue.poll();
        assertThat(queue.unattended()).as("a slow one").isEqualTo(1);

        queue.poll();
        assertThat(queue.unattended()).as("their handler has its share").isZero();
    }

    @Test
    void an_idle_worker_attends_to_a_call() throws InterruptedException {
        CallQueue queue = new CallQueue(2);
        AtomicInteger shortages = new AtomicInteger();
        queue.onShortage(shortages::incrementAndGet);
        Thread worker = idleWorker(queue);

        queue.add(call("a"));
        awaitEnd(worker);

        assertThat(shortages).hasValue(0);
        assertThat(queue.load()).isEqualTo(1);
    }

    @Test
    void an_idle_worker_takes_the_next_call_of_a_handler_whose_call_is_late() throws InterruptedException {
        CallQueue queue = new CallQueue(1);
        queue.add(call("slow"));
        Call running = queue.poll();
        Thread idle = idleWorker(queue);
        queue.add(call("slow"));

        queue.late(List.of(running));

        awaitEnd(idle);
        assertThat(queue.load()).as("the late one does not count").isEqualTo(1);
    }

    private static Thread idleWorker(CallQueue queue) {
        Thread worker = new Thread(() -> take(queue));
        worker.setDaemon(true);
        worker.start();
        Await.until("it waits", () -> worker.getState() == Thread.State.TIMED_WAITING);
        return worker;
    }

    private static void awaitEnd(Thread worker) throws InterruptedException {
        worker.join(Duration.ofSeconds(20).toMillis());
        assertThat(worker.isAlive()).as("it still waits").isFalse();
    }

    private static void take(CallQueue queue) {
        try {
            queue.take(Duration.ofHours(1).toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Call call(String handler) {
        MessageHead head = new MessageHead(
                1, UUID.randomUUID(), 0, 0, "t", "order", MessageState.READY, 0, 0, 0, 0, false, null, null);
        return new Call(
                () -> false, new Delivery(head, null, handler, 1, AckMode.DELETE_MESSAGE), new Lease(0, "n", 1), null);
    }
}
