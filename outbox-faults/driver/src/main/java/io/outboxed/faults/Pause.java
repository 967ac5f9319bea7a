package io.outboxed.faults;

import java.util.concurrent.TimeUnit;

/** Waits; an interrupt ends the run. */
final class Pause {
    private Pause() {}

    static void millis(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
