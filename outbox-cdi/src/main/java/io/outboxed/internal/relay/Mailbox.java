package io.outboxed.internal.relay;

import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The only way for other threads to reach the loop: what they report runs on the loop's thread. */
public final class Mailbox {
    private final ConcurrentLinkedQueue<Runnable> reports = new ConcurrentLinkedQueue<>();
    private final AtomicLong signalled = new AtomicLong();
    private final Semaphore wake = new Semaphore(0);

    public void post(Runnable report) {
        reports.add(report);
        wake.release();
    }

    /**
     * Handles each of these. If that fails for one, those behind it are posted: nothing else knows of them any more.
     * Called by the loop's thread.
     */
    public <T> void each(Iterator<T> all, Consumer<T> handler) {
        try {
            while (all.hasNext()) {
                handler.accept(all.next());
            }
        } finally {
            if (all.hasNext()) {
                post(() -> each(all, handler));
            }
        }
    }

    /** A commit has added rows to these shards. */
    public void signal(Iterable<Integer> shards) {
        long bits = 0;
        for (int shard : shards) {
            bits |= 1L << shard;
        }
        long added = bits;
        signalled.updateAndGet(before -> before | added);
        wake.release();
    }

    /** Returns and clears the signalled shards, as bits. Call it before reading, not after, or a wake-up is lost. */
    public long takeSignals() {
        return signalled.getAndSet(0);
    }

    public void drain() {
        wake.drainPermits();
        for (Runnable report = reports.poll(); report != null; report = reports.poll()) {
            report.run();
        }
    }

    public void await(long nanos) throws InterruptedException {
        if (reports.isEmpty() && signalled.get() == 0 && nanos > 0 && wake.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            wake.drainPermits();
        }
    }
}
