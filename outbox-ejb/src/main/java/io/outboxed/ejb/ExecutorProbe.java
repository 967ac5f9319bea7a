package io.outboxed.ejb;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Asks an executor whether it runs a number of tasks at once. */
final class ExecutorProbe {
    private final int tasks;
    private final Duration patience;
    private final CountDownLatch missing;
    private volatile boolean denied;

    enum Answer {
        /** An executor may be late: Open Liberty begins no task before the application has started. */
        NONE_YET,
        YES,
        NO
    }

    /** @param patience how long a task waits for the others */
    ExecutorProbe(int tasks, Duration patience) {
        this.tasks = tasks;
        this.patience = patience;
        this.missing = new CountDownLatch(tasks);
    }

    void ask(Executor executor) {
        try {
            for (int i = 0; i < tasks; i++) {
                executor.execute(this::meetTheOthers);
            }
        } catch (RuntimeException e) {
            // RejectedExecutionException, but servers throw others as well
            deny();
        }
    }

    Answer answer() {
        // in this order: whoever denies it lets go of the others afterwards
        boolean met = missing.getCount() == 0;
        if (denied) {
            return Answer.NO;
        }
        return met ? Answer.YES : Answer.NONE_YET;
    }

    private void meetTheOthers() {
        if (denied) {
            return;
        }
        missing.countDown();
        try {
            if (!missing.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                deny();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            deny();
        }
    }

    /** Also releases the tasks that wait. */
    private void deny() {
        denied = true;
        while (missing.getCount() > 0) {
            missing.countDown();
        }
    }
}
