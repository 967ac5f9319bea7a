package io.outboxed.faults.app;

import io.outboxed.PermanentFailureException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The faults that the driver injects into the handlers of this node. */
@ApplicationScoped
public class InjectedFaults {
    /** The error of an event that the driver cures at the end. */
    public static final String POISON = "poison";

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Order hanging = new Order();
    private final Order sticking = new Order();
    private final Order filling = new Order();
    private volatile long hangMillis;
    private volatile boolean released;
    private volatile boolean cured;

    /**
     * The next calls do not return for a while.
     *
     * @return how many such calls have begun soon
     */
    int hang(int calls, long millis) {
        hangMillis = millis;
        return hanging.await(calls);
    }

    /** The next calls never return, not even if they are interrupted, until they are released or this node is killed. */
    int stick(int calls) {
        released = false;
        return sticking.await(calls);
    }

    /** The next calls ask for more memory than there is. */
    int fillMemory(int calls) {
        return filling.await(calls);
    }

    /** Ends the calls that never return. */
    void release() {
        sticking.withdraw();
        released = true;
    }

    /** From now on no event is poison. */
    void cure() {
        cured = true;
    }

    /** What was ordered for the next calls. */
    void apply() {
        if (filling.isForThis()) {
            throw new IllegalStateException("there was memory for " + new long[Integer.MAX_VALUE - 8].length);
        }
        if (hanging.isForThis()) {
            hang();
        }
        if (sticking.isForThis()) {
            stick();
        }
    }

    /** @param flaky the fault that makes the first attempt of this handler fail */
    void failFirstAttempt(HandlerFault fault, HandlerFault flaky, int attempt) {
        if (fault == flaky && attempt == 1) {
            throw new IllegalStateException("flaky at its first try");
        }
    }

    void failIfPoison(HandlerFault fault) {
        if (fault == HandlerFault.CONDEMNED) {
            throw new PermanentFailureException("condemned");
        }
        if (fault == HandlerFault.POISON && !cured) {
            throw new IllegalStateException(POISON);
        }
    }

    private void hang() {
        try {
            TimeUnit.MILLISECONDS.sleep(hangMillis);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while it hung", e);
        }
    }

    private void stick() {
        while (!released) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            Thread.interrupted(); // a handler that ignores it
        }
        throw new IllegalStateException("was stuck");
    }
}
