package io.outboxed.ejb;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Ticks in place of the server's timer while the wall clock shows times that it has shown before, because it was set
 * back: the timers of Payara, WildFly and Open Liberty wait by that clock, and are silent until it has caught up. A
 * timer that is silent for another reason is left alone: that of a suspended WildFly has to be.
 */
final class TimerStandIn {
    private static final long SILENT = Duration.ofSeconds(3).toNanos();
    private static final long BETWEEN_TICKS = Duration.ofSeconds(1).toNanos();

    private final Runnable tick;
    private final LongSupplier nanoClock;
    private final LongSupplier wallMillis;
    private volatile long dueAt;
    private long latest;

    TimerStandIn(Runnable tick, LongSupplier nanoClock, LongSupplier wallMillis) {
        this.tick = tick;
        this.nanoClock = nanoClock;
        this.wallMillis = wallMillis;
        this.latest = wallMillis.getAsLong();
        timerTicked();
    }

    /** Called by the threads of the timer. */
    void timerTicked() {
        dueAt = nanoClock.getAsLong() + SILENT;
    }

    /** Called several times a second, by one thread, which has to wait by the monotonic clock. */
    void check() {
        long wall = wallMillis.getAsLong();
        boolean again = wall < latest;
        latest = Math.max(latest, wall);
        long now = nanoClock.getAsLong();
        if (again && now - dueAt >= 0) {
            dueAt = now + BETWEEN_TICKS;
            tick.run();
        }
    }
}
