package io.outboxed.bench.database;

import java.util.concurrent.locks.LockSupport;

/** Between two looks at something that this process can't be told about. */
public final class Pause {
    private Pause() {}

    public static void millis(long millis) {
        LockSupport.parkNanos(millis * 1_000_000);
        if (Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("interrupted");
        }
    }
}
