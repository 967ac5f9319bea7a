package io.outboxed.internal.handlers;

import io.outboxed.internal.log.OutboxLog;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Runs tasks on another executor, few at a time. Those for which its queue has no room are run by the caller, or dropped. */
final class BoundedExecutor implements Executor {
    private final Executor executor;
    private final int maxRunning;
    private final int maxQueued;
    /** Null if the caller runs what is not queued. */
    private final IntConsumer dropping;

    private final Queue<Runnable> queue = new ArrayDeque<>();
    /** Those that are in a task. */
    private final Set<Thread> busy = new HashSet<>();

    private int running;
    private boolean isDropping;
    private boolean ended;

    private BoundedExecutor(Executor executor, int maxRunning, int maxQueued, IntConsumer dropping) {
        this.executor = executor;
        this.maxRunning = maxRunning;
        this.maxQueued = maxQueued;
        this.dropping = dropping;
    }

    /** @param report called with the length of the queue for the first task that is dropped since it was empty */
    static BoundedExecutor dropping(Executor executor, int maxRunning, int maxQueued, IntConsumer report) {
        return new BoundedExecutor(executor, maxRunning, maxQueued, report);
    }

    static BoundedExecutor callerRuns(Executor executor, int maxRunning, int maxQueued) {
        return new BoundedExecutor(executor, maxRunning, maxQueued, null);
    }

    @Override
    public void execute(Runnable task) {
        boolean queued = isQueued(task);
        beginIfNeeded();
        if (!queued && dropping == null) {
            task.run();
        }
    }

    /** Waits until nothing runs. */
    synchronized void awaitIdle(long deadline) throws InterruptedException {
        while (running > 0 && deadline - System.nanoTime() > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, deadline - System.nanoTime());
        }
    }

    /** What waits does not begin, what runs is interrupted once, and what comes later is ignored. */
    synchronized void end() {
        ended = true;
        queue.clear();
        busy.forEach(Thread::interrupt);
    }

    private synchronized boolean isQueued(Runnable task) {
        if (ended) {
            return false;
        }
        if (queue.size() < maxQueued) {
            return queue.add(task);
        }
        if (dropping != null && !isDropping) {
            isDropping = true;
            dropping.accept(maxQueued);
        }
        return false;
    }

    /** What can't begin now begins with the next task. */
    private void beginIfNeeded() {
        if (!reserve()) {
            return;
        }
        try {
            executor.execute(this::runQueued);
        } catch (RuntimeException | Error e) {
            release();
            OutboxLog.taskFailed(e);
        }
    }

    /** @return whether one more thread is needed */
    private synchronized boolean reserve() {
        if (running == maxRunning || queue.isEmpty()) {
            return false;
        }
        running++;
        return true;
    }

    private synchronized void release() {
        running--;
        notifyAll();
    }

    private void runQueued() {
        boolean ended = false;
        try {
            for (Runnable task = next(); task != null; task = next()) {
                run(task);
            }
            ended = true;
        } finally {
            if (!ended) {
                release();
            }
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            OutboxLog.taskFailed(e);
        } finally {
            done();
            // an application's task that leaves it set would end the thread, and interrupt the next task
            Thread.interrupted();
        }
    }

    private synchronized Runnable next() {
        // before the queue is touched: it may fail for lack of memory
        busy.add(Thread.currentThread());
        Runnable task = queue.poll();
        if (task == null) {
            done();
            release();
            isDropping = false;
        }
        return task;
    }

    private synchronized void done() {
        busy.remove(Thread.currentThread());
    }
}
