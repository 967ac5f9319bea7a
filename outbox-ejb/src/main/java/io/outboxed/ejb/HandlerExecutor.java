package io.outboxed.ejb;

import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Runs finite tasks on a managed executor, and from the moment that fails on threads of the server's factory. It has
 * failed when it begins none for a while, whether it accepts or rejects them: because it is broken (that of an
 * application which was deployed into a running Payara 6) or because calls that hang have all its threads. A suspended
 * WildFly rejects tasks too, but has no ticks either.
 */
final class HandlerExecutor implements Executor {
    private static final int TICKS_TO_BEGIN = 5;

    private final String name;
    private final Executor managed;
    private final FactoryThreads fallback;
    private final int ticksToEnd;
    private final Set<Task> waiting = new LinkedHashSet<>();
    private int running;
    private boolean begun;
    private int ticks;
    private boolean rejects;
    private boolean failed;
    private boolean replaced;

    /** @param timeout after which a call counts as hanging; zero: it never does */
    HandlerExecutor(String name, Executor managed, FactoryThreads fallback, Duration timeout) {
        this.name = name;
        this.managed = managed;
        this.fallback = fallback;
        this.ticksToEnd = timeout.isZero()
                ? Integer.MAX_VALUE
                : (int) Math.min(timeout.toSeconds() + TICKS_TO_BEGIN, Integer.MAX_VALUE);
    }

    @Override
    public void execute(Runnable work) {
        Task task = new Task(work);
        if (isToWaitFor(task)) {
            try {
                managed.execute(task);
            } catch (RuntimeException | Error e) {
                // RejectedExecutionException, but servers throw others as well; the caller requests another task
                if (rejected(task)) {
                    throw e;
                }
            }
        } else {
            fallback.execute(work);
        }
    }

    /** Called once a second. */
    void supervise() {
        if (isHalfReplaced()) {
            replace("was being replaced when an error occurred");
        }
        int seconds = secondsWithoutABeginning();
        if (seconds >= (isRunning() ? ticksToEnd : TICKS_TO_BEGIN)) {
            replace("has begun none of the relay's tasks for " + seconds + " s");
        }
    }

    private void replace(String what) {
        boolean first = fails();
        notBegun().forEach(fallback::execute);
        fallback.start();
        replaced();
        if (first) {
            OutboxLog.executorReplaced(name, what, FactoryThreads.FACTORY);
        }
    }

    private synchronized boolean fails() {
        boolean first = !failed;
        failed = true;
        return first;
    }

    /** An error, probably for lack of memory, has prevented the rest. */
    private synchronized boolean isHalfReplaced() {
        return failed && !replaced;
    }

    private synchronized void replaced() {
        replaced = true;
    }

    /** @return whether it will not run: one that waited while this executor was replaced may have begun */
    private synchronized boolean rejected(Task task) {
        rejects = true;
        return waiting.remove(task);
    }

    private synchronized List<Task> notBegun() {
        return List.copyOf(waiting);
    }

    private synchronized boolean isToWaitFor(Task task) {
        return !failed && waiting.add(task);
    }

    private synchronized int secondsWithoutABeginning() {
        boolean asked = rejects || !waiting.isEmpty();
        ticks = failed || begun || !asked ? 0 : ticks + 1;
        begun = false;
        rejects = false;
        return ticks;
    }

    private synchronized boolean isRunning() {
        return running > 0;
    }

    private synchronized boolean begins(Task task) {
        if (!waiting.remove(task)) {
            return false;
        }
        begun = true;
        running++;
        return true;
    }

    private synchronized void ended() {
        running--;
    }

    /** Runs where it begins first, and only there. */
    private final class Task implements Runnable {
        private final Runnable work;

        private Task(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (begins(this)) {
                try {
                    work.run();
                } finally {
                    ended();
                }
            }
        }
    }
}
