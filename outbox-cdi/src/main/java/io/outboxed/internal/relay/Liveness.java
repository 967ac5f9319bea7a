package io.outboxed.internal.relay;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** When a thread last completed a round, and when it last succeeded. Written by one thread, read by any. */
public final class Liveness {
    private final LongSupplier nanoClock;
    private volatile long completedAt;
    private volatile Long succeededAt;

    public Liveness(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.completedAt = nanoClock.getAsLong();
    }

    public void completed() {
        completedAt = nanoClock.getAsLong();
    }

    public void succeeded() {
        succeededAt = nanoClock.getAsLong();
    }

    /** Before the first round: since this object was created. */
    public Duration sinceCompleted() {
        return Duration.ofNanos(nanoClock.getAsLong() - completedAt);
    }

    /** Empty before the first success. */
    public Optional<Duration> sinceSucceeded() {
        Long at = succeededAt;
        return at == null ? Optional.empty() : Optional.of(Duration.ofNanos(nanoClock.getAsLong() - at));
    }
}
