package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.Worker;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** The threads that call handlers: as many as configured, and a spare one for each call that is stuck. */
final class WorkerPool {
    private static final long WAIT = Duration.ofMillis(200).toNanos();

    private final CallQueue calls;
    private final Worker worker;
    private final int size;
    private final LongSupplier nanoClock;
    private final AtomicInteger alive = new AtomicInteger();
    private volatile int wanted;
    private volatile boolean stopping;

    WorkerPool(CallQueue calls, Worker worker, int size, LongSupplier nanoClock) {
        this.calls = calls;
        this.worker = worker;
        this.size = size;
        this.nanoClock = nanoClock;
        this.wanted = size;
    }

    /** Starts the missing threads. */
    void fill(Executor executor) {
        while (alive.get() < wanted) {
            alive.incrementAndGet();
            executor.execute(this::work);
        }
    }

    /** @param stuck the number of calls that have not ended although they were interrupted */
    void replaceStuck(int stuck) {
        wanted = size + Math.min(stuck, size);
        if (stuck > size) {
            OutboxLog.workersStuck(stuck);
        }
    }

    /** No more calls are started; running ones come to their end. */
    void stop() {
        stopping = true;
    }

    boolean isEmpty() {
        return alive.get() == 0;
    }

    private void work() {
        try {
            while (!stopping && alive.get() <= wanted) {
                Call call = calls.take(WAIT);
                long since = nanoClock.getAsLong();
                while (call != null) {
                    call = worker.run(call, since);
                }
            }
        } catch (InterruptedException e) {
            OutboxLog.workerInterrupted(e);
        } finally {
            alive.decrementAndGet();
        }
    }
}
