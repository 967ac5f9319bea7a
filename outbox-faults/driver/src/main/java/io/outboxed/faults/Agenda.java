package io.outboxed.faults;

import io.outboxed.faults.Plan.Step;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/** What remains of a plan. A step that was not possible in its turn comes again in each later one until it is. */
final class Agenda {
    /** After the last planned step, while others wait. */
    private static final long UNTIL_NEXT_TURN = 500;

    private final Queue<Step> planned;
    /** Some come back while a turn lasts: whether they were possible is known only later. */
    private final Queue<Step> leftOut = new ConcurrentLinkedQueue<>();

    Agenda(Plan plan) {
        planned = new ArrayDeque<>(plan.steps());
    }

    boolean isEmpty() {
        return planned.isEmpty() && leftOut.isEmpty();
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

    /** Forgets the other steps. */
    void retain(Predicate<Fault> wanted) {
        planned.removeIf(step -> !wanted.test(step.fault()));
        leftOut.removeIf(step -> !wanted.test(step.fault()));
    }
}
