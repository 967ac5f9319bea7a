package io.outboxed.faults.history;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Times are microseconds since 1970; on one machine there is only one clock. */
public final class Micros {
    private Micros() {}

    public static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    public static long of(Duration duration) {
        return duration.toNanos() / 1000;
    }

    public static String seconds(long micros) {
        return String.format(Locale.ROOT, "%.1f s", micros / 1e6);
    }
}
