package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handlers are called in finite tasks: as many as calls need and the configuration allows. */
@ExtendWith(SilentLog.class)
class WorkerPoolTest {
    private static final int SIZE = 2;

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private volatile Runnable handler = handled::incrementAndGet;
    private final CallQueue calls = new CallQueue(SIZE);
    private final List<Runnable> tasks = new ArrayList<>();
    private final WorkerPool pool =
            new WorkerPool(calls, WorkerFixture.worker(calls, now::get, () -> handler.run()), SIZE, now::get);
    private boolean rejects;
    private boolean outOfThreads;

    WorkerPoolTest() {
        pool.start(task -> {
            if (rejects) {
                throw new RejectedExecutionException();
            }
            if (outOfThreads) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            tasks.add(task);
        });
    }

    @Test
    void each_call_requests_a_task_until_there_are_as_many_as_configured() {
        add(3);
        assertThat(tasks).hasSize(SIZE);

        tasks.get(0).run();
        assertThat(handled).as("one task takes all calls there are").hasValue(3);
        tasks.get(1).run();

        assertThat(pool.isEmpty()).isTrue();
        add(1);
        assertThat(tasks).hasSize(SIZE + 1);
    }

    @Test
    void rejections_are_logged_once_if_no_task_is_at_work_and_not_if_the_executor_has_a_limit()
            throws InterruptedException {
        CountDownLatch end = hang();
        add(1);
        Thread hanging = run(tasks.get(0));
        awaitRunning(1);
        try (CapturedLog log = new CapturedLog()) {
            rejects = true;
            add(1);
            pool.fill();
            pool.fill();
            assertThat(log.lines).as("a task is at work").isEmpty();

            rejects = false;
            end.countDown();
            hanging.join();
            rejects = true;
            add(1);
            assertThat(log.lines).as("as the last task ends").isEmpty();
            pool.fill();
            pool.fill();
            rejects = false;
            pool.fill();
            assertThat(log.lines).hasSize(2);
            assertThat(log.lines.get(0)).contains("OUTBOX-0438");
            assertThat(log.lines.get(1)).contains("OUTBOX-0439");
        }
    }

    @Test
    void a_task_ends_after_its_time_and_another_one_goes_on() {
        handler = () -> {
            handled.incrementAndGet();
            now.addAndGet(Duration.ofMillis(600).toNanos());
        };
        add(5);
        assertThat(tasks).hasSize(SIZE);

        tasks.get(0).run();
        assertThat(handled).hasValue(2);
        assertThat(tasks).as("in place of the one that ended").hasSize(SIZE + 1);
        tasks.get(1).run();
        tasks.get(2).run();

        assertThat(handled).hasValue(5);
        assertThat(tasks).hasSize(SIZE + 1);
    }

    @Test
    void a_call_that_waits_for_the_share_of_its_handler_requests_no_task() throws InterruptedException {
        CountDownLatch end = hang();
        add(SIZE);
        List<Thread> hanging = List.of(run(tasks.get(0)), run(tasks.get(1)));
        awaitRunning(SIZE);
        pool.replaceStuck(SIZE);

        add(1);
        pool.fill();

        assertThat(tasks).hasSize(SIZE);
        end.countDown();
        for (Thread each : hanging) {
            each.join();
        }
        assertThat(handled).hasValue(SIZE + 1);
    }

    @Test
    void a_stuck_call_is_replaced() throws InterruptedException {
        CountDownLatch end = hang();
        Call first = add(1);
        Call second = add(1);
        List<Thread> hanging = List.of(run(tasks.get(0)), run(tasks.get(1)));
        awaitRunning(SIZE);
        handler = handled::incrementAndGet;
        add(1);
        assertThat(tasks).hasSize(SIZE);

        calls.late(List.of(first));
        calls.late(List.of(second));
        pool.replaceStuck(SIZE);
        pool.fill();

        assertThat(tasks).hasSize(SIZE + 1);
        tasks.get(SIZE).run();
        assertThat(handled).hasValue(1);
        end.countDown();
        for (Thread each : hanging) {
            each.join();
        }
        assertThat(pool.isEmpty()).isTrue();
    }

    @Test
    void calls_that_do_not_end_when_interrupted_are_reported_once_until_there_is_a_spare_worker_again() {
        try (CapturedLog log = new CapturedLog()) {
            pool.replaceStuck(SIZE + 1);
            assertThat(log.lines).as("they have just been interrupted").isEmpty();

            pool.replaceStuck(SIZE + 1);
            pool.replaceStuck(SIZE + 1);
            assertThat(log.lines)
                    .singleElement()
                    .asString()
                    .contains("OUTBOX-0416 " + (SIZE + 1) + " handler calls have ignored an interrupt");

            pool.replaceStuck(SIZE);
            pool.replaceStuck(SIZE + 1);
            pool.replaceStuck(SIZE + 1);
            assertThat(log.lines).hasSize(2);
        }
    }

    @Test
    void a_rejected_task_is_requested_again() {
        rejects = true;
        add(2);
        assertThat(pool.isEmpty()).isTrue();

        rejects = false;
        pool.fill();

        assertThat(tasks).hasSize(SIZE);
        tasks.get(0).run();
        assertThat(handled).hasValue(2);
    }

    @Test
    void a_task_for_which_no_thread_can_be_created_is_requested_again() {
        outOfThreads = true;
        assertThatCode(() -> add(2)).doesNotThrowAnyException();
        assertThat(pool.isEmpty()).isTrue();

        outOfThreads = false;
        pool.fill();

        assertThat(tasks).hasSize(SIZE);
        tasks.get(0).run();
        assertThat(handled).hasValue(2);
    }

    @Test
    void tasks_that_begin_after_the_stop_call_nothing_and_are_not_waited_for() {
        add(2);

        assertThat(pool.hasEnded())
                .as("each of them may begin at any time, and its success has to be recorded")
                .isFalse();
        pool.stop();
        assertThat(pool.hasEnded()).isTrue();
        tasks.forEach(Runnable::run);

        assertThat(handled).hasValue(0);
        add(1);
        assertThat(tasks).hasSize(SIZE);
    }

    private CountDownLatch hang() {
        CountDownLatch end = new CountDownLatch(1);
        handler = () -> {
            try {
                running.incrementAndGet();
                end.await();
                handled.incrementAndGet();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        return end;
    }

    private void awaitRunning(int count) {
        Await.until(count + " calls run", () -> running.get() >= count);
    }

    private static Thread run(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    /** @return the last one */
    private Call add(int count) {
        Call call = null;
        for (int i = 0; i < count; i++) {
            call = WorkerFixture.call();
            calls.add(call);
        }
        return call;
    }
}
