package io.outboxed.internal.relay;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** When a thread last completed a round, and when it last succeeded. Written by one thread, read by any. */
public final class Progress {
    private final LongSupplier nanoClock;
    private volatile long movedAt;
    private volatile Long workedAt;

    public Progress(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.movedAt = nanoClock.getAsLong();
    }

    public void moved() {
        movedAt = nanoClock.getAsLong();
    }

    public void worked() {
        workedAt = nanoClock.getAsLong();
    }

    /** Before the first round: since this object was created. */
    public Duration sinceMoved() {
        return Duration.ofNanos(nanoClock.getAsLong() - movedAt);
    }

    /** Empty before the first success. */
    public Optional<Duration> sinceWorked() {
        Long at = workedAt;
        return at == null ? Optional.empty() : Optional.of(Duration.ofNanos(nanoClock.getAsLong() - at));
    }
}
