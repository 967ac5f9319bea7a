package io.outboxed.ejb;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Supervises once a second by the monotonic clock, when the server's timer ticks. That waits by the wall clock. After
 * that was set forward, WildFly and Open Liberty make up for the time with many ticks at once, and most of them do
 * nothing. While it shows times that it has shown before, because it was set back, the timers of Payara, WildFly and Open
 * Liberty are silent, and a thread stands in for them. A timer that is silent for another reason is left alone: that of a
 * suspended WildFly has to be.
 */
final class SupervisionTimes {
    private static final long INTERVAL = Duration.ofSeconds(1).toNanos();
    /** A tick after one that was late comes sooner than an interval later. */
    private static final long EARLY = Duration.ofMillis(500).toNanos();

    private final Runnable supervise;
    private final LongSupplier nanoClock;
    private final LongSupplier wallMillis;
    private long next;
    private long latest;

    SupervisionTimes(Runnable supervise, LongSupplier nanoClock, LongSupplier wallMillis) {
        this.supervise = supervise;
        this.nanoClock = nanoClock;
        this.wallMillis = wallMillis;
        this.next = nanoClock.getAsLong() + INTERVAL;
        this.latest = wallMillis.getAsLong();
    }

    /** Called by the threads of the timer. */
    void timerTicks() {
        superviseIfDue(EARLY);
    }

    /** Called several times a second, by one thread, which has to wait by the monotonic clock. */
    void check() {
        long wall = wallMillis.getAsLong();
        boolean again = wall < latest;
        latest = Math.max(latest, wall);
        if (again) {
            superviseIfDue(0);
        }
    }

    private void superviseIfDue(long early) {
        if (isDue(early)) {
            supervise.run();
        }
    }

    private synchronized boolean isDue(long early) {
        long late = nanoClock.getAsLong() - next;
        if (late < -early) {
            return false;
        }
        next += INTERVAL + Math.max(late, 0);
        return true;
    }
}
