package io.outboxed.internal.relay;

import io.outboxed.internal.log.OutboxLog;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;

/** Runs tasks on another executor, few at a time. Drops those for which its queue has no room. */
final class BoundedExecutor implements Executor {
    private final Executor executor;
    private final int maxRunning;
    private final int maxQueued;
    private final IntConsumer dropping;
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private int running;
    private boolean isDropping;

    /** @param dropping called with the length of the queue for the first task that is dropped since it was empty */
    BoundedExecutor(Executor executor, int maxRunning, int maxQueued, IntConsumer dropping) {
        this.executor = executor;
        this.maxRunning = maxRunning;
        this.maxQueued = maxQueued;
        this.dropping = dropping;
    }

    @Override
    public void execute(Runnable task) {
        if (queue(task)) {
            begin();
        }
    }

    /** What can't begin now begins with the next task. */
    private void begin() {
        try {
            executor.execute(this::runQueued);
        } catch (RuntimeException | Error e) {
            notBegun();
            OutboxLog.taskFailed(e);
        }
    }

    private synchronized void notBegun() {
        running--;
    }

    /** @return whether one more thread is needed */
    private synchronized boolean queue(Runnable task) {
        if (queue.size() >= maxQueued) {
            if (!isDropping) {
                isDropping = true;
                dropping.accept(maxQueued);
            }
            return false;
        }
        queue.add(task);
        if (running == maxRunning) {
            return false;
        }
        running++;
        return true;
    }

    private void runQueued() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                OutboxLog.taskFailed(e);
            } finally {
                // an application's task that leaves it set would end the thread, and interrupt the next task
                Thread.interrupted();
            }
        }
    }

    private synchronized Runnable next() {
        Runnable task = queue.poll();
        if (task == null) {
            running--;
            isDropping = false;
        }
        return task;
    }
}
