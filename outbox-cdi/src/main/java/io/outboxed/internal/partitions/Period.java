package io.outboxed.internal.partitions;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** The time that one partition covers. All in UTC, as microseconds since 1970. */
public enum Period {
    HOUR("yyyyMMddHH", ChronoUnit.HOURS),
    DAY("yyyyMMdd", ChronoUnit.DAYS),
    MONTH("yyyyMM", ChronoUnit.MONTHS);

    private static final long SECOND = 1_000_000;

    private final DateTimeFormatter name;
    private final ChronoUnit unit;

    Period(String name, ChronoUnit unit) {
        this.name = DateTimeFormatter.ofPattern(name);
        this.unit = unit;
    }

    /** The length of the longest one. */
    public Duration longest() {
        return this == MONTH ? Duration.ofDays(31) : unit.getDuration();
    }

    /** The beginning of the period that this time is in. */
    long start(long micros) {
        return micros(begun(micros));
    }

    /** The beginning of the next one. */
    long end(long micros) {
        return micros(begun(micros).plus(1, unit));
    }

    /** The name of the partition for the period that this time is in: p2025030314, p20250303 or p202503. */
    String name(long micros) {
        return "p" + begun(micros).format(name);
    }

    private LocalDateTime begun(long micros) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(Math.floorDiv(micros, SECOND), 0, ZoneOffset.UTC);
        return this == MONTH ? time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1) : time.truncatedTo(unit);
    }

    private static long micros(LocalDateTime time) {
        return time.toEpochSecond(ZoneOffset.UTC) * SECOND;
    }

    static long micros(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), SECOND), time.getNano() / 1_000);
    }
}
