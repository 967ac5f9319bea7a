package io.outboxed.internal.relay;

import java.util.function.LongSupplier;

/**
 * One thread of a simulated node, cut into rounds. While a round is in progress the node's other threads may continue.
 */
final class SimulatedThread {
    private final LongSupplier clock;
    private final LongSupplier round;
    private boolean underWay;
    private long dueAt;

    /** @param round returns how long to wait until the next one */
    SimulatedThread(LongSupplier clock, LongSupplier round) {
        this.clock = clock;
        this.round = round;
        this.dueAt = clock.getAsLong();
    }

    long dueAt() {
        return underWay ? Actor.NEVER : dueAt;
    }

    boolean isUnderWay() {
        return underWay;
    }

    void wake() {
        dueAt = clock.getAsLong();
    }

    /** Not at once, so that more can be collected until then. */
    void wakeIn(long nanos) {
        dueAt = Math.min(dueAt, clock.getAsLong() + nanos);
    }

    void run() {
        underWay = true;
        try {
            long wait = round.getAsLong();
            dueAt = wait >= Actor.NEVER - clock.getAsLong() ? Actor.NEVER : clock.getAsLong() + wait;
        } finally {
            underWay = false;
        }
    }
}
