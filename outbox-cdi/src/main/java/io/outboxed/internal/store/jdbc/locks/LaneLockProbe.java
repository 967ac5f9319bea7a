package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Proves with two sessions that a lock keeps the other one out until it is released, and that statements of a
 * connection stay in its session: some databases have the functions without an effect, and some poolers share sessions.
 */
public final class LaneLockProbe {
    private final ConnectionSource source;
    private final Dialect dialect;
    private final String prefix;
    private final Duration idleLimit;
    private final Sql sql;

    public LaneLockProbe(ConnectionSource source, Dialect dialect, String prefix, Duration idleLimit) {
        this.source = source;
        this.dialect = dialect;
        this.prefix = prefix;
        this.idleLimit = idleLimit;
        this.sql = new Sql(dialect, prefix);
    }

    /** Rejects a database, or a way to it, on which locks of a session do not hold. */
    public void check() {
        if (dialect == Dialect.H2) {
            throw refused("H2 has no locks that belong to a session");
        }
        long lane = UUID.randomUUID().getMostSignificantBits();
        try (ClaimLocks one = new ClaimLocks(source, dialect, prefix, idleLimit);
                ClaimLocks other = new ClaimLocks(source, dialect, prefix, idleLimit)) {
            requireOneServer();
            one.open("probe-" + UUID.randomUUID());
            other.open("probe-" + UUID.randomUUID());
            require(one.tryLock(List.of(lane)).equals(Set.of(lane)), "a free lock could not be taken");
            requireLocked(lane, one, other, "two sessions could take the same lock");
            requireOwnSession(one);
            requireLocked(lane, one, other, "a lock was lost while its connection was in use");
            one.unlock(List.of(lane));
            require(other.tryLock(List.of(lane)).equals(Set.of(lane)), "a lock that was released stayed taken");
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("testing locks of sessions", e);
        } catch (StoreException e) {
            if (SqlFailure.isTransient(e.getCause())) {
                throw e;
            }
            throw refused(e.getMessage());
        }
    }

    private void requireOneServer() throws SQLException {
        if (dialect.isMySqlFamily()) {
            try (RelayConnection relay = RelayConnection.open(source, dialect)) {
                List<String> on =
                        new Jdbc(relay.connection(), dialect).list(sql.laneLocks.galera, row -> row.getString("Value"));
                require(!isGalera(on), "in a Galera cluster a lock is known to one server only");
            }
        }
    }

    /**
     * The locks of a Galera cluster are those of one of its servers.
     *
     * @param wsrepOn the server's {@code wsrep_on}; empty if it has no such variable
     */
    static boolean isGalera(List<String> wsrepOn) {
        return wsrepOn.stream().anyMatch("ON"::equalsIgnoreCase);
    }

    /** A pooler that shares sessions gives an idle one to the next connection that needs one. */
    private void requireOwnSession(ClaimLocks one) throws SQLException {
        try (RelayConnection relay = RelayConnection.open(source, dialect)) {
            boolean same = OneTransaction.run(new Jdbc(relay.connection(), dialect), jdbc -> {
                jdbc.exists(sql.laneLocks.lockSession);
                return one.reachesItself();
            });
            require(same, "statements of one connection reach several sessions, as with a pooler that shares them");
        }
    }

    private void requireLocked(long lane, ClaimLocks one, ClaimLocks other, String otherwise) {
        if (!other.tryLock(List.of(lane)).isEmpty()) {
            // a lost session says nothing about the database
            one.reachesItself();
            throw refused(otherwise);
        }
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            throw refused(otherwise);
        }
    }

    private OutboxException refused(String why) {
        return new OutboxException(
                "OUTBOX-0314",
                "outbox.relay.claim=advisory-lock can't be used with this " + dialect + " database: " + why
                        + ". Two nodes could deliver the same message at the same time. Nothing was changed. Remove the"
                        + " setting, or use MySQL, MariaDB without Galera, or PostgreSQL 14 or newer, and connections"
                        + " that keep their sessions.");
    }
}
