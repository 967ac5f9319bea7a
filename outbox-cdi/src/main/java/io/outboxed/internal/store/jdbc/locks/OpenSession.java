package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.QualifiedName;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A database session on a server that takes writes, from its start until its locks are released. Used by one thread at a
 * time.
 */
final class OpenSession {
    private final RelayConnection connection;
    private final LockStatements locks;
    private final long id;
    /** How long a heartbeat waits for an answer. */
    private final Duration answerLimit;

    private final boolean isShared;
    private boolean leads;

    private OpenSession(
            RelayConnection connection, LockStatements locks, long id, Duration answerLimit, boolean isShared) {
        this.connection = connection;
        this.locks = locks;
        this.id = id;
        this.answerLimit = answerLimit;
        this.isShared = isShared;
    }

    /** What answers: which session, and whether its server takes writes. */
    private record Server(long session, boolean isWritable) {}

    /** @param idleLimit when the server ends a session that was not used */
    static OpenSession begin(ConnectionSource source, Sql sql, Duration idleLimit) throws SQLException {
        // a heartbeat that meets a statement takes the session for open until the statement ends
        Duration statementLimit = RelayConnection.sharedLimit(idleLimit);
        RelayConnection connection = RelayConnection.open(source, sql.dialect(), statementLimit);
        try {
            Jdbc jdbc = new Jdbc(connection.connection(), sql.dialect());
            String tables = jdbc.first(sql.laneLocks.lockNamespace, row -> row.getString("tables"))
                    .orElseThrow();
            LockNames names = new LockNames(
                    sql.dialect(), tables, QualifiedName.of(sql.prefix()).name());
            Server server = server(jdbc, sql);
            if (!server.isWritable()) {
                throw new SQLException("the server is read-only", SqlFailure.READ_ONLY_SERVER);
            }
            OpenSession begun = new OpenSession(
                    connection,
                    new LockStatements(jdbc, sql, names),
                    server.session(),
                    RelayConnection.heartbeatLimit(idleLimit),
                    source.isShared());
            // the last step: a shared pool would lend the connection with this limit if another one failed
            jdbc.execute(List.of(sql.laneLocks.idleLimit(Math.max(1, idleLimit.toSeconds()))));
            return begun;
        } catch (SQLException | RuntimeException | Error e) {
            connection.closeAfter(e);
            throw e;
        }
    }

    private static Server server(Jdbc jdbc, Sql sql) throws SQLException {
        return jdbc.first(sql.laneLocks.lockSession, row -> new Server(row.getLong("id"), row.getInt("writable") == 1))
                .orElseThrow();
    }

    long id() {
        return id;
    }

    Jdbc jdbc() {
        return locks.jdbc();
    }

    LockStatements locks() {
        return locks;
    }

    /** A session has a lock as often as it takes it. */
    boolean leads() throws SQLException {
        leads = leads || locks.tryLockLeader();
        return leads;
    }

    /** Whether a statement still runs in the session that was begun. */
    boolean reachesItself() throws SQLException {
        return answer().session() == id;
    }

    /**
     * A proxy, or a driver that connects again by itself, passes statements on to another session. And a server that was
     * the primary until a failover may keep its sessions and their locks: other nodes have theirs on the new primary, and
     * none would claim anything. That this account may still write (SUPER, CONNECTION_ADMIN) makes no difference.
     */
    boolean isUsable() throws SQLException {
        return new Server(id, true).equals(answer());
    }

    /** The heartbeat waits for it. */
    private Server answer() throws SQLException {
        return connection.promptly(answerLimit, () -> server(jdbc(), locks.sql()));
    }

    /** Whether no transaction is open after one that has failed. */
    boolean isRolledBack() {
        try {
            return jdbc().connection().getAutoCommit();
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Never throws an SQLException: in doubt, the connection ends too. */
    void end() {
        boolean unlocked = false;
        try {
            if (isShared) {
                unlockAll();
            }
            unlocked = true;
        } catch (SQLException e) {
            // aborted below
        } finally {
            if (unlocked) {
                connection.close();
            } else {
                // its locks must not go back to the pool
                connection.abort();
            }
        }
    }

    private void unlockAll() throws SQLException {
        if (!jdbc().connection().getAutoCommit()) {
            jdbc().connection().rollback();
            jdbc().connection().setAutoCommit(true);
        }
        jdbc().execute(locks.sql().laneLocks.endLocks);
    }
}
