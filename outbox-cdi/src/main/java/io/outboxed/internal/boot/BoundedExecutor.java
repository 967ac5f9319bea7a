package io.outboxed.internal.boot;

import io.outboxed.internal.log.OutboxLog;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks on another executor, few at a time. Drops and logs those for which its queue has no room. */
final class BoundedExecutor implements Executor {
    private final Executor executor;
    private final int maxRunning;
    private final int maxQueued;
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private int running;

    BoundedExecutor(Executor executor, int maxRunning, int maxQueued) {
        this.executor = executor;
        this.maxRunning = maxRunning;
        this.maxQueued = maxQueued;
    }

    @Override
    public void execute(Runnable task) {
        if (queue(task)) {
            executor.execute(this::runQueued);
        }
    }

    /** @return whether one more thread is needed */
    private synchronized boolean queue(Runnable task) {
        if (queue.size() >= maxQueued) {
            OutboxLog.announcementDropped(maxQueued);
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
            }
        }
    }

    private synchronized Runnable next() {
        Runnable task = queue.poll();
        if (task == null) {
            running--;
        }
        return task;
    }
}
