package io.outboxed.internal.database;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as the tables hold them: microseconds since 1970 UTC. */
public final class EpochMicros {
    private static final long SECOND = 1_000_000;

    private EpochMicros() {}

    public static Instant toInstant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Whole microseconds. A time that does not fit becomes the first or the last one that does. */
    public static long of(Instant time) {
        try {
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), SECOND), time.getNano() / 1_000);
        } catch (ArithmeticException e) {
            return time.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
