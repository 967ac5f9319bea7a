package io.outboxed.internal.relay.isolation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** What the handlers do that give trouble, and in which aggregates. */
final class Troubles {
    private static final long SLOW_NANOS = 20_000_000;
    /** Too few to make their handler count as down. */
    private static final Set<Integer> FAILING = Set.of(7, 77, 177);

    /** On each of two nodes, they are likely to be more than the half of the workers that a handler gets. */
    private static final Set<Integer> HUNG_UNTIL_INTERRUPTED =
            Set.of(5, 15, 25, 35, 45, 55, 65, 75, 85, 95, 105, 115, 125, 135);

    private static final Set<Integer> HUNG_UNTIL_RELEASED = Set.of(155);

    private final CountDownLatch released = new CountDownLatch(1);
    private final Set<Integer> hung = ConcurrentHashMap.newKeySet();
    private final AtomicInteger interrupts = new AtomicInteger();
    private volatile boolean hanging;

    static boolean fails(PublishedEvent event) {
        return FAILING.contains(event.aggregate());
    }

    static boolean hangs(PublishedEvent event) {
        return HUNG_UNTIL_INTERRUPTED.contains(event.aggregate()) || HUNG_UNTIL_RELEASED.contains(event.aggregate());
    }

    void fail(PublishedEvent event) {
        if (fails(event)) {
            throw new IllegalStateException("always");
        }
    }

    void beSlow(PublishedEvent event) {
        take(SLOW_NANOS);
    }

    static void take(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** From now on the next call of each of these aggregates hangs. */
    void beginToHang() {
        hanging = true;
    }

    void hang(PublishedEvent event) throws InterruptedException {
        if (!hanging || !hangs(event) || !hung.add(event.aggregate())) {
            return;
        }
        if (HUNG_UNTIL_INTERRUPTED.contains(event.aggregate())) {
            released.await();
            return;
        }
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
            }
        }
    }

    void release() {
        hanging = false;
        released.countDown();
    }

    /** Calls that have hung. */
    int hung() {
        return hung.size();
    }

    /** Those of them that ignored an interrupt. */
    int ignoredInterrupts() {
        return interrupts.get();
    }
}
