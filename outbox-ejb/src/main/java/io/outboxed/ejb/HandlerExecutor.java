package io.outboxed.ejb;

import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Runs finite tasks on a managed executor, and from the moment that fails on threads of the server's factory. It has
 * failed when it rejects a task (its server is ending it), or begins none for a while: because it is broken (that of an
 * application which was deployed into a running Payara 6) or because calls that hang have all its threads.
 */
final class HandlerExecutor implements Executor {
    private static final int TICKS_TO_BEGIN = 5;

    private final String name;
    private final Executor managed;
    private final FactoryThreads spare;
    private final int ticksToEnd;
    private final Set<Task> waiting = new LinkedHashSet<>();
    private int running;
    private boolean begun;
    private int ticks;
    private boolean failed;
    private boolean replaced;

    /** @param timeout after which a call counts as hanging; zero: it never does */
    HandlerExecutor(String name, Executor managed, FactoryThreads spare, Duration timeout) {
        this.name = name;
        this.managed = managed;
        this.spare = spare;
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
            } catch (RuntimeException e) {
                // RejectedExecutionException, but servers throw others as well
                replaceOrTryAgain("rejected a task (" + e + ")");
            } catch (Error e) {
                // the caller counts this task as rejected, so it must not run later
                withdraw(task);
                throw e;
            }
        } else {
            spare.execute(work);
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

    /** The task is accepted, whatever happens here: supervision continues with what an error prevents. */
    private void replaceOrTryAgain(String what) {
        try {
            replace(what);
        } catch (Error e) {
            OutboxLog.taskFailed(e);
        }
    }

    private void replace(String what) {
        boolean first = fails();
        notBegun().forEach(spare::execute);
        spare.start();
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

    private synchronized void withdraw(Task task) {
        waiting.remove(task);
    }

    private synchronized List<Task> notBegun() {
        return List.copyOf(waiting);
    }

    private synchronized boolean isToWaitFor(Task task) {
        return !failed && waiting.add(task);
    }

    private synchronized int secondsWithoutABeginning() {
        ticks = failed || begun || waiting.isEmpty() ? 0 : ticks + 1;
        begun = false;
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
