package io.outboxed.internal.testkit.standalone;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The relay's clocks: real time, and what was skipped. */
final class MovableClock {
    private final AtomicLong skipped = new AtomicLong();

    long nanos() {
        return System.nanoTime() + skipped.get();
    }

    long millis() {
        return System.currentTimeMillis() + skipped.get() / 1_000_000;
    }

    void skip(Duration time) {
        skipped.addAndGet(time.toNanos());
    }
}
