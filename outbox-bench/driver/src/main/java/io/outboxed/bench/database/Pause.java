package io.outboxed.bench.database;

import java.util.concurrent.locks.LockSupport;

/** Sleeps between two polls of something that does not notify this process. */
public final class Pause {
    private Pause() {}

    public static void millis(long millis) {
        LockSupport.parkNanos(millis * 1_000_000);
        if (Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("interrupted");
        }
    }
}
