package io.outboxed.faults;

import io.outboxed.faults.Plan.Step;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What remains of a plan. A step that was not possible in its turn comes again in each later one until it is. */
final class Agenda {
    /** After the last planned step, while others wait. */
    private static final long UNTIL_NEXT_TURN = 500;

    private final Queue<Step> planned;
    /** Some come back while a turn lasts: whether they were possible is known only later. */
    private final Queue<Step> leftOut = new ConcurrentLinkedQueue<>();

    private final List<CompletableFuture<?>> answers = new ArrayList<>();

    Agenda(Plan plan) {
        planned = new ArrayDeque<>(plan.steps());
    }

    boolean isEmpty() {
        // in this order: a step comes back before its answer is done
        return answers.stream().allMatch(CompletableFuture::isDone) && planned.isEmpty() && leftOut.isEmpty();
    }

    long pauseMillis() {
        return planned.isEmpty() ? UNTIL_NEXT_TURN : planned.element().pauseMillis();
    }

    /**
     * Takes the first step left out before that is possible now, and the next planned one.
     *
     * @param inject returns whether the step was possible
     */
    void turn(Predicate<Step> inject) {
        for (Step step : leftOut) {
            if (inject.test(step)) {
                leftOut.remove(step);
                break;
            }
        }
        Step next = planned.poll();
        if (next != null && !inject.test(next)) {
            again(next);
        }
    }

    /** The step was not possible after all. */
    void again(Step step) {
        leftOut.add(step);
    }

    /** @param answer when it is done, the step that was possible so far has come back or does not */
    void mayComeBack(CompletableFuture<?> answer) {
        answers.add(answer);
    }

    /** So that nothing that was asked for begins later. */
    void awaitAnswers(Duration longest) {
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Of the steps left out, forgets the others. The plan goes on: what is wanted may need other faults beside it. */
    void retainLeftOut(Predicate<Fault> wanted) {
        leftOut.removeIf(step -> !wanted.test(step.fault()));
    }
}
