package io.outboxed.faults.app;

import java.util.concurrent.TimeUnit;

/** What is to happen to the next calls, whichever they are. */
final class Order {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(8);

    private int ordered;
    private int left;

    /** @return how many calls it has happened to within some seconds: it does not happen later */
    synchronized int await(int calls) {
        ordered = calls;
        left = calls;
        long deadline = System.nanoTime() + LONGEST_NANOS;
        try {
            for (long nanos = LONGEST_NANOS; left > 0 && nanos > 0; nanos = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int happened = ordered - left;
        left = 0;
        return happened;
    }

    synchronized void withdraw() {
        ordered -= left;
        left = 0;
        notifyAll();
    }

    synchronized boolean isForThis() {
        if (left == 0) {
            return false;
        }
        left--;
        notifyAll();
        return true;
    }
}
