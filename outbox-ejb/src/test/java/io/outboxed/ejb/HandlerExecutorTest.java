package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** However a managed executor behaves, every task runs once. */
class HandlerExecutorTest {
    private static final int SECONDS_OF_A_CALL = 30;

    private final BlockingQueue<String> ran = new ArrayBlockingQueue<>(100);
    private final List<Runnable> received = new ArrayList<>();
    private final FactoryThreads fallback = new FactoryThreads(2, work -> new Thread(work, "fallback"));
    private final HandlerExecutor executor = executor(received::add);
    private final AtomicBoolean noMemory = new AtomicBoolean();
    private boolean rejects;

    private HandlerExecutor executor(Executor managed) {
        return new HandlerExecutor(
                "java:app/concurrent/outbox",
                task -> {
                    if (rejects) {
                        throw new RejectedExecutionException("shut down");
                    }
                    managed.execute(task);
                },
                fallback,
                Duration.ofSeconds(SECONDS_OF_A_CALL));
    }

    @AfterEach
    void end() {
        fallback.close();
    }

    @Test
    void tasks_run_on_the_managed_executor() throws InterruptedException {
        executor.execute(task("a"));
        seconds(4);
        begin(0);
        executor.execute(task("b"));
        seconds(4);
        begin(1);
        seconds(100);

        assertThat(ran).containsExactly("a on managed", "b on managed");
    }

    /** A suspended WildFly rejects them, and does not supervise meanwhile. */
    @Test
    void the_caller_learns_of_a_rejection_and_the_executor_is_used_again_once_it_accepts_tasks()
            throws InterruptedException {
        rejects = true;
        for (int task = 0; task < 100; task++) {
            assertRejects(task("rejected"));
        }
        seconds(1);
        rejects = false;
        executor.execute(task("later"));
        seconds(1);
        begin(0);

        assertThat(ran).containsExactly("later on managed");
    }

    @Test
    void one_that_sometimes_rejects_a_task_is_not_replaced() throws InterruptedException {
        for (int second = 0; second < 20; second++) {
            rejects = true;
            assertRejects(task("rejected"));
            rejects = false;
            executor.execute(task("accepted"));
            begin(second);
            seconds(1);
        }

        assertThat(ran).hasSize(20).containsOnly("accepted on managed");
    }

    @Test
    void one_that_rejects_all_tasks_for_five_seconds_is_replaced_by_threads_of_the_factory()
            throws InterruptedException {
        rejects = true;
        for (int second = 0; second < 5; second++) {
            assertRejects(task("rejected"));
            seconds(1);
        }
        rejects = false;

        executor.execute(task("later"));

        assertThat(ran(1)).containsExactly("later on fallback");
    }

    /** Its threads are busy, and it has no queue. */
    @Test
    void one_that_rejects_tasks_while_calls_are_running_is_waited_for_until_they_hang() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        executor.execute(() -> awaitUninterrupted(end));
        Thread slow = new Thread(received.get(0), "managed");
        slow.start();
        awaitWaiting(slow);
        seconds(1);
        rejects = true;
        for (int second = 0; second < SECONDS_OF_A_CALL + 4; second++) {
            assertRejects(task("rejected"));
            seconds(1);
        }
        rejects = false;
        executor.execute(task("on managed"));
        begin(1);
        assertThat(ran(1)).containsExactly("on managed on managed");
        seconds(1);
        rejects = true;
        for (int second = 0; second < SECONDS_OF_A_CALL + 5; second++) {
            assertRejects(task("rejected"));
            seconds(1);
        }

        executor.execute(task("later"));

        assertThat(ran(1)).containsExactly("later on fallback");
        end.countDown();
        slow.join();
    }

    private static void awaitWaiting(Thread thread) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(System.nanoTime()).as("it waits in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private void assertRejects(Runnable task) {
        assertThatThrownBy(() -> executor.execute(task)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void what_it_does_not_begin_within_five_seconds_runs_on_threads_of_the_factory() throws InterruptedException {
        executor.execute(task("a"));
        seconds(4);
        assertThat(ran).isEmpty();

        seconds(1);

        assertThat(ran(1)).containsExactly("a on fallback");
        begin(0);
        assertThat(ran).as("what began late").isEmpty();
    }

    @Test
    void a_small_executor_whose_calls_are_slow_is_waited_for_until_they_hang() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        executor.execute(() -> awaitUninterrupted(end));
        Thread slow = new Thread(received.get(0), "managed");
        slow.start();
        executor.execute(task("next"));
        awaitWaiting(slow);
        seconds(SECONDS_OF_A_CALL + 5);
        assertThat(ran).isEmpty();

        seconds(1);

        assertThat(ran(1)).containsExactly("next on fallback");
        end.countDown();
        slow.join();
    }

    @Test
    void without_a_timeout_of_calls_a_small_executor_is_waited_for_as_long_as_they_take() throws InterruptedException {
        HandlerExecutor patient = new HandlerExecutor("managed", received::add, fallback, Duration.ZERO);
        CountDownLatch end = new CountDownLatch(1);
        patient.execute(() -> awaitUninterrupted(end));
        Thread slow = new Thread(received.get(0), "managed");
        slow.start();
        patient.execute(task("next"));
        awaitWaiting(slow);
        for (int i = 0; i < 10_000; i++) {
            patient.supervise();
        }

        begin(1);

        assertThat(ran).containsExactly("next on managed");
        end.countDown();
        slow.join();
    }

    @Test
    void a_task_that_met_an_error_does_not_run_later_because_the_caller_counts_it_as_rejected()
            throws InterruptedException {
        HandlerExecutor outOfMemory = executor(task -> {
            received.add(task);
            throw new OutOfMemoryError("unable to create native thread");
        });

        assertThatThrownBy(() -> outOfMemory.execute(task("a"))).isInstanceOf(OutOfMemoryError.class);

        begin(0);
        for (int i = 0; i < 10; i++) {
            outOfMemory.supervise();
        }
        assertThat(ran).isEmpty();
    }

    @Test
    void fallback_threads_that_could_not_be_started_are_started_a_second_later() throws InterruptedException {
        FactoryThreads late = new FactoryThreads(2, this::startedOnceThereIsMemory);
        noMemory.set(true);
        HandlerExecutor failing =
                new HandlerExecutor("managed", received::add, late, Duration.ofSeconds(SECONDS_OF_A_CALL));
        failing.execute(task("a"));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 5; i++) {
                        failing.supervise();
                    }
                })
                .isInstanceOf(OutOfMemoryError.class);
        noMemory.set(false);

        failing.supervise();

        assertThat(ran(1)).containsExactly("a on fallback");
        late.close();
    }

    private Thread startedOnceThereIsMemory(Runnable work) {
        return new Thread(work, "fallback") {
            @Override
            public synchronized void start() {
                if (noMemory.get()) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Runnable task(String name) {
        return () -> ran.add(name + " on " + Thread.currentThread().getName());
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            executor.supervise();
        }
    }

    private void begin(int index) throws InterruptedException {
        Thread thread = new Thread(received.get(index), "managed");
        thread.start();
        thread.join();
    }

    private List<String> ran(int count) throws InterruptedException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(ran.poll(30, TimeUnit.SECONDS));
        }
        return names;
    }
}
