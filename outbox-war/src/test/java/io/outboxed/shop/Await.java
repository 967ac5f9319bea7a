package io.outboxed.shop;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for something that another process does, and says what did not happen. */
public final class Await {

    private Await() {}

    public static void until(String what, BooleanSupplier happened) {
        until(what, 30, happened);
    }

    public static void until(String what, int seconds, BooleanSupplier happened) {
        until(what, seconds, happened, () -> "no more is known");
    }

    public static void until(String what, int seconds, BooleanSupplier happened, Supplier<Object> instead) {
        long deadline = System.nanoTime() + SECONDS.toNanos(seconds);
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + seconds + " s: " + what + "; instead: " + instead.get());
            }
            LockSupport.parkNanos(MILLISECONDS.toNanos(25));
        }
    }
}
