package io.outboxed.faults.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Holds one call at the end of a handler, so that the driver can kill this node there. */
@ApplicationScoped
public class Ambush {
    private static final long LONGEST_SECONDS = 8;

    private final AtomicReference<Trap> armed = new AtomicReference<>();

    private record Trap(String handler, CountDownLatch entered, CountDownLatch over) {}

    /** @return whether a call of the handler is being held now */
    boolean await(String handler) throws InterruptedException {
        Trap trap = new Trap(handler, new CountDownLatch(1), new CountDownLatch(1));
        armed.set(trap);
        boolean entered = trap.entered().await(LONGEST_SECONDS, TimeUnit.SECONDS);
        return entered || !armed.compareAndSet(trap, null);
    }

    /** Called by handlers when they have done their work. */
    void pass(String handler) {
        Trap trap = armed.get();
        if (trap != null && trap.handler().equals(handler) && armed.compareAndSet(trap, null)) {
            trap.entered().countDown();
            try {
                trap.over().await(LONGEST_SECONDS, TimeUnit.SECONDS); // never over: this node is killed
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted in the ambush", e);
            }
        }
    }
}
