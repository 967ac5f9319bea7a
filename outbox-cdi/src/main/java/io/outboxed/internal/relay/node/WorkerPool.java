package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.Worker;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Calls handlers in finite tasks of an executor: at most as many as configured, and a spare one for each call that is
 * stuck. A task is requested when calls wait, and ends when there are none or when it has taken its time.
 */
final class WorkerPool {
    /** A task begins no call after this time: the executor may have other tasks. */
    private static final long LONGEST_TASK = Duration.ofSeconds(1).toNanos();
    /**
     * A new task costs more than a task that waits a little for its next call: Payara searches the class path for each
     * one, to capture the context.
     */
    private static final long WAIT = Duration.ofMillis(100).toNanos();

    private final CallQueue calls;
    private final Worker worker;
    private final int size;
    private final LongSupplier nanoClock;
    private final OutageLog rejections = new OutageLog(OutboxLog::workerRejected, OutboxLog::workersAccepted);
    private Executor executor;
    private int wanted;
    /** Tasks that were requested and have not ended. */
    private int alive;
    /** Those of them that have not begun. */
    private int requested;

    private int rejectedInARow;
    /** Used by the supervisor only. */
    private int ticksWithoutSpare;
    /** Since when no worker has been left; null: one is. */
    private Long exhaustedSince;

    private volatile boolean stopping;

    WorkerPool(CallQueue calls, Worker worker, int size, LongSupplier nanoClock) {
        this.calls = calls;
        this.worker = worker;
        this.size = size;
        this.nanoClock = nanoClock;
        this.wanted = size;
    }

    /** @param newExecutor takes over the context of the thread that submits a task: the loop's, or that of a task */
    void start(Executor newExecutor) {
        executor = newExecutor;
        calls.onShortage(this::fill);
    }

    /** Requests the missing tasks. */
    void fill() {
        if (!hasRoom()) {
            return;
        }
        // in this order: a task that begins in between is at worst requested once more
        int missing = calls.unattended() - requested();
        while (missing-- > 0 && admit() && request()) {}
    }

    /** @param stuck the number of calls that have not ended although they were interrupted */
    void replaceStuck(int stuck) {
        synchronized (this) {
            wanted = size + Math.min(stuck, size);
            if (stuck < 2 * size) {
                exhaustedSince = null;
            } else if (exhaustedSince == null) {
                exhaustedSince = nanoClock.getAsLong();
            }
        }
        if (stuck <= size) {
            ticksWithoutSpare = 0;
        } else if (++ticksWithoutSpare == 2) {
            // not at once: most calls end when they are interrupted
            OutboxLog.workersStuck(stuck);
        }
    }

    /** How long all workers and spare ones have been stuck. */
    synchronized Duration exhaustedFor() {
        return exhaustedSince == null ? Duration.ZERO : Duration.ofNanos(nanoClock.getAsLong() - exhaustedSince);
    }

    /** No more calls are started; running ones come to their end. */
    void stop() {
        stopping = true;
    }

    /** Whether no call runs and none will begin: not before {@link #stop}, since a requested task may begin at any time. */
    boolean hasEnded() {
        return stopping && isEmpty();
    }

    /** Whether no task is at work; those that were requested may begin. */
    synchronized boolean isEmpty() {
        return alive == requested;
    }

    private boolean request() {
        boolean accepted = false;
        try {
            executor.execute(this::work);
            accepted = true;
            accepted();
        } catch (RuntimeException | Error e) {
            // RejectedExecutionException, but servers throw others as well, and an Error if no thread can be created
            rejected(e);
        } finally {
            if (!accepted) {
                begun();
                ended();
            }
        }
        return accepted;
    }

    private void work() {
        begun();
        try {
            long end = nanoClock.getAsLong() + LONGEST_TASK;
            while (!stopping && nanoClock.getAsLong() - end < 0) {
                Call call = calls.take(WAIT);
                if (call == null) {
                    break;
                }
                worker.runSeries(call);
            }
        } catch (InterruptedException e) {
            OutboxLog.workerInterrupted(e);
        } finally {
            ended();
        }
        // a call may have been queued after the last check, while this task still counted
        fill();
    }

    private synchronized int requested() {
        return requested;
    }

    private synchronized boolean hasRoom() {
        return !stopping && alive < wanted;
    }

    private synchronized boolean admit() {
        if (!hasRoom()) {
            return false;
        }
        alive++;
        requested++;
        return true;
    }

    private synchronized void begun() {
        requested--;
    }

    /** An executor with a limit rejects what is above it: while tasks are at work, and one as the last of them ends. */
    private synchronized void rejected(Throwable e) {
        boolean atWork = alive > 1;
        if (!atWork && ++rejectedInARow > 1) {
            rejections.failed(e);
        }
    }

    private synchronized void accepted() {
        rejectedInARow = 0;
        rejections.worked();
    }

    private synchronized void ended() {
        alive--;
    }
}
