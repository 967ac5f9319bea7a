package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whether an executor runs a number of tasks at once is seen, not assumed. */
class ExecutorProbeTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void an_executor_that_begins_nothing_has_not_answered() {
        ExecutorProbe probe = new ExecutorProbe(2, LONG);

        probe.ask(task -> {});

        assertThat(probe.answer()).isEqualTo(ExecutorProbe.Answer.NONE_YET);
    }

    @Test
    void enough_threads_are_a_yes() throws InterruptedException {
        assertThat(answerOf(4, new ExecutorProbe(4, LONG))).isEqualTo(ExecutorProbe.Answer.YES);
    }

    @Test
    void too_few_threads_are_a_no_although_they_run_all_tasks_in_the_end() throws InterruptedException {
        assertThat(answerOf(3, new ExecutorProbe(4, Duration.ofMillis(50)))).isEqualTo(ExecutorProbe.Answer.NO);
    }

    @Test
    void a_rejection_is_a_no() {
        ExecutorProbe probe = new ExecutorProbe(2, LONG);

        probe.ask(task -> {
            throw new RejectedExecutionException();
        });

        assertThat(probe.answer()).isEqualTo(ExecutorProbe.Answer.NO);
    }

    private static ExecutorProbe.Answer answerOf(int threads, ExecutorProbe probe) throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        probe.ask(executor);
        executor.shutdown();
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        return probe.answer();
    }
}
