package io.outboxed.internal.relay;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition, never for a time. */
public final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        until(what, LIMIT, condition, () -> "no more is known");
    }

    public static void until(String what, Duration limit, BooleanSupplier condition, Supplier<String> otherwise) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + limit + ": " + what + "; " + otherwise.get());
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
