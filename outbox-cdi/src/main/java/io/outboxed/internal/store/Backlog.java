package io.outboxed.internal.store;

import java.time.Duration;

/**
 * Counts of what is stored and not done, at one point in time. Counting stops where the caller says, and at 100,000 for
 * what waits or is blocked: that number means "at least".
 *
 * @param ready messages that the relay can take immediately
 * @param parked messages that are delayed, or of one of too many long backlogs
 * @param waiting deliveries that wait for their next attempt, or behind one that does
 * @param blocked deliveries that wait for an operator, and those behind them
 * @param dead dead letters
 * @param blockedAggregates aggregates in which something waits for an operator; where the count of what is blocked has
 *     stopped, at least these
 * @param oldestAge for how long the oldest message that waits for the relay has been due on the database's clock, zero
 *     if there is none; what waits for an operator does not count. If more than 160 aggregates of a shard wait for an
 *     attempt, only those that are due first are considered
 */
public record Backlog(
        long ready, long parked, long waiting, long blocked, long dead, long blockedAggregates, Duration oldestAge) {
    /** Counting stops there for the metrics, which are counted in the background. */
    public static final int MAX_COUNTED = 1_000_000;
    /** For what waits or is blocked: each row needs lookups in two indexes. */
    public static final int MAX_WAITING_COUNTED = 100_000;

    public enum State {
        READY,
        PARKED,
        WAITING,
        BLOCKED,
        DEAD
    }

    public long count(State state) {
        return switch (state) {
            case READY -> ready;
            case PARKED -> parked;
            case WAITING -> waiting;
            case BLOCKED -> blocked;
            case DEAD -> dead;
        };
    }
}
