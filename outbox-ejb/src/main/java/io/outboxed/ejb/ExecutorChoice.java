package io.outboxed.ejb;

import io.outboxed.internal.log.OutboxLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Which managed executor calls the handlers: the first of the candidates that does what it is asked for. */
final class ExecutorChoice {
    private static final int TICKS_TO_ANSWER = 5;

    private final Deque<ManagedExecutor> candidates;
    private final List<String> defects = new ArrayList<>();
    private int ticks;

    /** What is known. */
    sealed interface Result {
        record Pending() implements Result {}

        record Found(ManagedExecutor executor) implements Result {}

        /** @param why the second half of a sentence */
        record None(String why) implements Result {}
    }

    ExecutorChoice(List<ManagedExecutor> candidates) {
        this.candidates = new ArrayDeque<>(candidates);
        askFirst();
    }

    private void askFirst() {
        Optional.ofNullable(candidates.peekFirst()).ifPresent(ManagedExecutor::ask);
    }

    /** Called once a second. */
    void tick() {
        ticks++;
    }

    Result result() {
        while (!candidates.isEmpty()) {
            ManagedExecutor executor = candidates.peekFirst();
            switch (executor.answer()) {
                case YES -> {
                    return new Result.Found(executor);
                }
                case NO -> reject(executor);
                case NONE_YET -> {
                    if (ticks < TICKS_TO_ANSWER) {
                        return new Result.Pending();
                    }
                    OutboxLog.executorNotUsed(executor.name(), executor.defect());
                    reject(executor);
                }
            }
        }
        return new Result.None(defects.isEmpty() ? "no managed executor is defined" : String.join(", and ", defects));
    }

    private void reject(ManagedExecutor executor) {
        defects.add(executor.name() + " " + executor.defect());
        candidates.removeFirst();
        ticks = 0;
        askFirst();
    }
}
