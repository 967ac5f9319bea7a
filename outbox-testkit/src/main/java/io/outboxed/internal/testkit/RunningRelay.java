package io.outboxed.internal.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The relay of a server, which works with threads of its own. */
final class RunningRelay implements RelayDriver {
    private static final long BETWEEN_CHECKS = TimeUnit.MILLISECONDS.toNanos(5);

    @Override
    public boolean runUntil(BooleanSupplier done, Duration limit) {
        long begun = System.nanoTime();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - begun > limit.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(BETWEEN_CHECKS);
        }
        return true;
    }

    @Override
    public boolean letsTimePass() {
        return true;
    }

    @Override
    public void advanced(Duration time) {
        // it polls
    }

    @Override
    public String running() {
        return "";
    }

    @Override
    public Optional<String> noCrash() {
        return Optional.of("inside a server only the whole server could crash. Use @OutboxTest, without a server");
    }

    @Override
    public void verifyRedelivery(Runnable scenario, Supplier<?> state) {
        throw new UnsupportedOperationException(
                "runs are repeated on an empty database, which a server does not have. Use @OutboxTest, without a server");
    }
}
