package io.outboxed.internal.partitions;

import java.time.Duration;
import java.util.Optional;

/**
 * How the history is partitioned.
 *
 * @param period what one partition covers
 * @param lookAhead how far into the future there are partitions
 * @param retention how long rows are kept: older partitions are dropped; empty for ever
 * @param maxTailRows with more rows in the tail than this, no partition is added: the tail's rows are copied or read
 *     while no session can write to the history
 * @param maxTailBytes MySQL, MariaDB: nor with more bytes of payload than this in those rows, which are copied
 * @param lockWait how long a change waits for its lock, at least a second. Writers of the history wait behind it
 * @param statementLimit PostgreSQL: how long a statement may take, because the tail's rows may be few and large; zero
 *     is as long as it takes. MySQL and MariaDB can't limit a change that has begun, and complete it if its client is
 *     gone
 */
public record PartitionSettings(
        Period period,
        Duration lookAhead,
        Optional<Duration> retention,
        long maxTailRows,
        long maxTailBytes,
        Duration lockWait,
        Duration statementLimit) {
    public static final Duration DEFAULT_LOOK_AHEAD = Duration.ofDays(30);
    public static final Duration DEFAULT_INTERVAL = Duration.ofHours(1);
    /** MySQL has at most 8192 partitions, past ones included. */
    public static final int MOST_PERIODS_AHEAD = 1_000;

    /** About a second of work. */
    public static final long DEFAULT_MAX_TAIL_ROWS = 10_000;

    public static final long DEFAULT_MAX_TAIL_BYTES = 100L << 20;

    /** Longer than PostgreSQL's deadlock_timeout, after which an autovacuum gives way. */
    public static final Duration DEFAULT_LOCK_WAIT = Duration.ofSeconds(2);

    /** Adding a partition takes three statements. Shorter than a relay's limit for the network, whose end the server does not notice. */
    public static final Duration DEFAULT_STATEMENT_LIMIT = Duration.ofSeconds(5);

    private static final long ANY = Long.MAX_VALUE - 1;

    public PartitionSettings {
        if (lookAhead.isNegative()
                || lockWait.toSeconds() < 1
                || maxTailRows < 0
                || maxTailBytes < 0
                || statementLimit.isNegative()) {
            throw new IllegalArgumentException("look-ahead " + lookAhead + ", lock wait " + lockWait
                    + ", rows in the tail " + maxTailRows + ", bytes in them " + maxTailBytes
                    + ", limit of a statement " + statementLimit);
        }
    }

    /** What a relay uses. */
    public static PartitionSettings of(Period period, Duration lookAhead, Optional<Duration> retention) {
        return new PartitionSettings(
                period,
                lookAhead,
                retention,
                DEFAULT_MAX_TAIL_ROWS,
                DEFAULT_MAX_TAIL_BYTES,
                DEFAULT_LOCK_WAIT,
                DEFAULT_STATEMENT_LIMIT);
    }

    public static Duration mostAhead(Period period) {
        return period.longest().multipliedBy(MOST_PERIODS_AHEAD);
    }

    /** For a run by hand, when the history may be locked for as long as it takes. */
    public PartitionSettings withAnyTail() {
        return new PartitionSettings(period, lookAhead, retention, ANY, ANY, lockWait, Duration.ZERO);
    }

    public boolean acceptsAnyTail() {
        return maxTailRows == ANY;
    }
}
