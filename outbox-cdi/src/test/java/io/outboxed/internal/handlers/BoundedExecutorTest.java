package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class BoundedExecutorTest {
    /** Threads that have been asked for and have not begun. */
    private final List<Runnable> threads = new ArrayList<>();

    private final List<Integer> dropping = new ArrayList<>();
    private final BoundedExecutor executor = BoundedExecutor.dropping(threads::add, 2, 3, dropping::add);
    private final List<String> done = new ArrayList<>();

    @Test
    void only_so_many_run_at_a_time_and_the_others_follow_in_order() {
        for (String task : List.of("a", "b", "c")) {
            executor.execute(() -> done.add(task));
        }

        assertThat(threads).as("threads that hanging tasks can take").hasSize(2);
        threads.get(0).run();
        assertThat(done).containsExactly("a", "b", "c");
    }

    @Test
    void a_thread_is_asked_for_again_after_all_were_done() {
        executor.execute(() -> done.add("a"));
        threads.remove(0).run();
        executor.execute(() -> done.add("b"));
        executor.execute(() -> done.add("c"));

        assertThat(threads).hasSize(2);
    }

    @Test
    void a_task_that_fails_stops_neither_the_others_nor_the_thread() {
        executor.execute(() -> {
            throw new AssertionError("a bug");
        });
        executor.execute(() -> done.add("b"));
        threads.get(0).run();

        assertThat(done).containsExactly("b");
    }

    @Test
    void a_thread_that_ends_with_an_error_is_replaced() {
        for (int i = 0; i < 2; i++) {
            executor.execute(() -> {
                throw new AssertionError("a bug");
            });
        }
        Logger logger = Logger.getLogger("io.outboxed");
        Handler noMemory = new Handler() {
            @Override
            public void publish(LogRecord line) {
                throw new StackOverflowError("in a test");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(noMemory);
        try {
            threads.forEach(thread -> assertThatThrownBy(thread::run).isInstanceOf(StackOverflowError.class));
        } finally {
            logger.removeHandler(noMemory);
        }

        executor.execute(() -> done.add("c"));
        threads.get(threads.size() - 1).run();

        assertThat(done).containsExactly("c");
    }

    @Test
    void a_task_that_leaves_its_thread_interrupted_stops_neither_the_others_nor_the_thread() {
        List<Boolean> interrupted = new ArrayList<>();
        executor.execute(() -> Thread.currentThread().interrupt());
        executor.execute(() -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
        });
        threads.get(0).run();

        assertThat(interrupted).containsExactly(false);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void after_the_end_nothing_begins_and_nothing_is_said_to_be_dropped() {
        executor.execute(() -> {
            done.add("a");
            executor.end();
        });
        executor.execute(() -> done.add("b"));
        threads.get(0).run();
        executor.execute(() -> done.add("c"));
        threads.forEach(Runnable::run);

        assertThat(done).containsExactly("a");
        assertThat(dropping).isEmpty();
        assertThat(Thread.interrupted()).as("it was meant for the task").isFalse();
    }

    @Test
    void a_thread_that_can_not_be_had_is_asked_for_again_with_the_next_task() {
        boolean[] noMemory = {true};
        Executor failing = BoundedExecutor.dropping(
                thread -> {
                    if (noMemory[0]) {
                        throw new StackOverflowError("in a test");
                    }
                    threads.add(thread);
                },
                1,
                3,
                dropping::add);
        failing.execute(() -> done.add("a"));
        noMemory[0] = false;
        failing.execute(() -> done.add("b"));
        threads.forEach(Runnable::run);

        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void a_thread_is_asked_for_again_although_the_queue_is_full() {
        boolean[] noMemory = {true};
        Executor failing = BoundedExecutor.callerRuns(
                thread -> {
                    if (noMemory[0]) {
                        throw new StackOverflowError("in a test");
                    }
                    threads.add(thread);
                },
                1,
                2);
        failing.execute(() -> done.add("a"));
        failing.execute(() -> done.add("b"));
        noMemory[0] = false;
        failing.execute(() -> done.add("c"));
        threads.forEach(Runnable::run);

        assertThat(done).as("by the caller, then by the thread").containsExactly("c", "a", "b");
    }

    @Test
    void what_does_not_fit_is_dropped_and_reported_once_until_the_queue_was_empty() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 5; i++) {
                String task = "task " + i;
                executor.execute(() -> done.add(task));
            }
            threads.forEach(Runnable::run);
            threads.clear();
        }

        assertThat(done).hasSize(6);
        assertThat(dropping).containsExactly(3, 3);
    }
}
