package io.outboxed.faults;

import java.time.Duration;

/**
 * How long faults begin. Then a run goes on for the kinds that had no opportunity: for a while, and for as long as
 * nothing else happened because all nodes were replaced in turn.
 */
record Length(Duration asked) {
    private static final Duration OVERTIME = Duration.ofMinutes(3);

    boolean isOver(Duration elapsed) {
        return asked.compareTo(elapsed) < 0;
    }

    boolean isOvertimeOver(Duration elapsed, Duration rolling) {
        return asked.plus(rolling).plus(OVERTIME).compareTo(elapsed) < 0;
    }
}
