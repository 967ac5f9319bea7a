package io.outboxed.internal.database;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Opens connections for heartbeats. A path to the database that is silent costs a fifth of the lease, so a node whose
 * next connection works keeps its shards, even if a lost answer has cost a third before. A database whose logins always
 * take longer is reached too: each try that ran into its limit doubles it for the next one.
 */
final class HeartbeatOpening {
    private static final int SHARE_OF_THE_LEASE = 5;
    /** Far beyond the limit of all connections. */
    private static final int MOST_DOUBLINGS = 10;

    private final ConnectionSource source;
    private final Dialect dialect;
    private final Duration lease;
    private final LongSupplier nanoClock;
    private final AtomicInteger doublings = new AtomicInteger();

    HeartbeatOpening(ConnectionSource source, Dialect dialect, Duration lease, LongSupplier nanoClock) {
        this.source = source;
        this.dialect = dialect;
        this.lease = lease;
        this.nanoClock = nanoClock;
    }

    RelayConnection open() throws SQLException {
        Duration limit = answerLimit();
        long begin = nanoClock.getAsLong();
        try {
            RelayConnection opened =
                    RelayConnection.of(source.open(limit), source, dialect, RelayConnection.heartbeatLimit(lease));
            doublings.set(0);
            return opened;
        } catch (SQLException e) {
            // a source rounds the limit; a server that refuses the connection answers at once
            if (nanoClock.getAsLong() - begin >= limit.toNanos() / 2) {
                doublings.updateAndGet(before -> Math.min(before + 1, MOST_DOUBLINGS));
            }
            throw e;
        }
    }

    private Duration answerLimit() {
        Duration limit = lease.dividedBy(SHARE_OF_THE_LEASE).multipliedBy(1L << doublings.get());
        return limit.compareTo(RelayConnection.NETWORK_LIMIT) < 0 ? limit : RelayConnection.NETWORK_LIMIT;
    }
}
