package io.outboxed.faults;

import java.time.Duration;

/**
 * How long faults begin. A short run, as in each build, ends in time. A long one, in which each kind of fault has to
 * occur, does not count the time in which all nodes are replaced in turn, and then waits for kinds that had no
 * opportunity.
 */
record Length(Duration asked, boolean isLong) {
    private static final Duration OVERTIME = Duration.ofMinutes(1);

    boolean isOver(Duration elapsed, Duration rolling) {
        return asked.plus(isLong ? rolling : Duration.ZERO).compareTo(elapsed) < 0;
    }

    boolean isOvertimeOver(Duration elapsed, Duration rolling) {
        return isOver(isLong ? elapsed.minus(OVERTIME) : elapsed, rolling);
    }
}
