package io.outboxed.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, never for a time. */
final class Patience {
    private static final Duration LIMIT =
            Duration.ofSeconds(Math.max(60, Integer.getInteger("kafka.records", 0) / 100));

    private Patience() {}

    static void until(String what, BooleanSupplier condition) {
        until(what, LIMIT, condition);
    }

    static void until(String what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + limit + ": " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
