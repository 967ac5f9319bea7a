package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.ejb.ExecutorChoice.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExecutorChoiceTest {
    private static final Executor RUNS = Runnable::run;
    private static final Executor BEGINS_NOTHING = task -> {};
    private static final Executor REJECTS = task -> {
        throw new RejectedExecutionException();
    };

    @Test
    void the_defined_executor_is_used_if_it_begins_a_task() {
        ManagedExecutor own = executor("own", RUNS);

        assertThat(new ExecutorChoice(List.of(own, executor("default", RUNS))).result())
                .isEqualTo(new Result.Found(own));
    }

    @Test
    void an_executor_that_begins_nothing_has_five_seconds_and_then_the_default_one_is_asked() {
        ManagedExecutor byDefault = executor("default", RUNS);
        ExecutorChoice choice = new ExecutorChoice(List.of(executor("own", BEGINS_NOTHING), byDefault));

        ticks(choice, 4);
        assertThat(choice.result()).isInstanceOf(Result.Pending.class);
        ticks(choice, 1);

        assertThat(choice.result()).isEqualTo(new Result.Found(byDefault));
    }

    @Test
    void the_default_executor_has_five_seconds_of_its_own() {
        ExecutorChoice choice =
                new ExecutorChoice(List.of(executor("own", BEGINS_NOTHING), executor("default", BEGINS_NOTHING)));

        ticks(choice, 5);
        assertThat(choice.result()).isInstanceOf(Result.Pending.class);
        ticks(choice, 4);
        assertThat(choice.result()).isInstanceOf(Result.Pending.class);
        ticks(choice, 1);

        assertThat(choice.result()).isEqualTo(new Result.None("own begins no task, and default begins no task"));
    }

    @Test
    void an_executor_that_rejects_is_passed_over_at_once() {
        ManagedExecutor byDefault = executor("default", RUNS);

        assertThat(new ExecutorChoice(List.of(executor("own", REJECTS), byDefault)).result())
                .isEqualTo(new Result.Found(byDefault));
    }

    @Test
    void a_default_executor_with_too_few_threads_is_not_used() {
        ManagedExecutor one = new ManagedExecutor("default", RUNS, 2, new ExecutorProbe(2, Duration.ofMillis(1)));

        assertThat(new ExecutorChoice(List.of(one)).result())
                .isEqualTo(new Result.None("default does not run 2 tasks at once"));
    }

    @Test
    void without_any_the_report_says_so() {
        assertThat(new ExecutorChoice(List.of()).result()).isEqualTo(new Result.None("no managed executor is defined"));
    }

    private static void ticks(ExecutorChoice choice, int count) {
        IntStream.range(0, count).forEach(second -> {
            choice.result();
            choice.tick();
        });
    }

    private static ManagedExecutor executor(String name, Executor executor) {
        return new ManagedExecutor(name, executor, 1, new ExecutorProbe(1, Duration.ofMinutes(1)));
    }
}
