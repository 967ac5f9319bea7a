package io.outboxed.faults;

import java.time.Duration;

/**
 * How long faults begin. Then a run waits for the kinds that had no opportunity. A long one does not count the time in
 * which all nodes are replaced in turn; a short one, as in each build, has few opportunities and waits longer.
 */
record Length(Duration asked, boolean isLong) {
    private static final Duration OVERTIME = Duration.ofMinutes(1);
    private static final Duration OVERTIME_OF_SHORT = Duration.ofMinutes(3);

    boolean isOver(Duration elapsed, Duration rolling) {
        return asked.plus(isLong ? rolling : Duration.ZERO).compareTo(elapsed) < 0;
    }

    boolean isOvertimeOver(Duration elapsed, Duration rolling) {
        Duration overtime = isLong ? OVERTIME : OVERTIME_OF_SHORT;
        return asked.plus(rolling).plus(overtime).compareTo(elapsed) < 0;
    }
}
