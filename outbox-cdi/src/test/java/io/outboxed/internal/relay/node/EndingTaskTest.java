package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.relay.workers.CallQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A call that comes while a task is ending: the task no longer sees it, and still counts as one that will. */
@ExtendWith(SilentLog.class)
class EndingTaskTest {
    private static final int CALLS = 20_000;
    private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger handled = new AtomicInteger();
    private final CallQueue calls = new CallQueue(1);
    private final List<Runnable> tasks = new ArrayList<>();
    private Runnable lookAtTheClock = () -> {};

    /** The pool has room for one task only, so a second one is never requested beforehand. */
    private WorkerPool pool(Runnable handler) {
        return new WorkerPool(calls, WorkerFixture.worker(calls, now::get, handler), 1, this::time);
    }

    private long time() {
        lookAtTheClock.run();
        return now.get();
    }

    @Test
    void a_call_that_comes_when_the_time_of_the_only_task_is_over_gets_a_new_task() {
        pool(() -> {
                    if (handled.incrementAndGet() == 1) {
                        now.addAndGet(Duration.ofHours(1).toNanos());
                        lookAtTheClock = this::addOneCall;
                    }
                })
                .start(tasks::add);
        calls.add(WorkerFixture.call());

        tasks.get(0).run();

        assertThat(handled).hasValue(1);
        assertThat(tasks).hasSize(2);
        tasks.get(1).run();
        assertThat(handled).hasValue(2);
    }

    private void addOneCall() {
        lookAtTheClock = () -> {};
        calls.add(WorkerFixture.call());
    }

    @Test
    void an_interrupted_task_is_replaced() {
        pool(handled::incrementAndGet).start(tasks::add);
        calls.add(WorkerFixture.call());

        Thread.currentThread().interrupt();
        tasks.get(0).run();

        assertThat(handled).hasValue(0);
        assertThat(tasks).hasSize(2);
        tasks.get(1).run();
        assertThat(handled).hasValue(1);
    }

    @Test
    void no_call_is_left_behind_however_close_it_comes_to_the_end_of_a_task() {
        // a task has time for one call, and calls come before, while and after it finds that its time is over
        lookAtTheClock = () -> {
            now.addAndGet(Duration.ofMillis(600).toNanos());
            pause(2_000);
        };
        ExecutorService executor = Executors.newCachedThreadPool();
        try {
            pool(handled::incrementAndGet).start(executor);
            for (int i = 1; i <= CALLS; i++) {
                calls.add(WorkerFixture.call());
                awaitHandled(i);
                pause(i % 100 * 500);
            }
        } finally {
            executor.shutdown();
        }
    }

    /** Does not sleep, because it must come close to the end of the task that has just made the call. */
    private void awaitHandled(int count) {
        long deadline = System.nanoTime() + PATIENCE;
        while (handled.get() < count) {
            if (System.nanoTime() > deadline) {
                fail("call " + count + " is left behind");
            }
            Thread.yield();
        }
    }

    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
