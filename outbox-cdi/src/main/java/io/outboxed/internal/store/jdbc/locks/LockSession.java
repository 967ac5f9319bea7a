package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.database.QualifiedName;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.LockTableFullException;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection that a node keeps for as long as it has its owner id: its locks, and the decisions that only their holder
 * can commit. After any doubt about what it holds, it is closed. The server ends it when it has not been used for a
 * lease, because its host has vanished or its process is frozen. Thread-safe.
 */
public final class LockSession implements LaneRights {
    private static final int MAX_ATTEMPTS = 3;
    private static final int IS_DEAD = 2;

    private final ConnectionSource source;
    private final Sql sql;
    private final long idleSeconds;
    /** Of the heartbeat's question. */
    private final Duration answerLimit;
    /** Of all other statements: a heartbeat that meets one of them takes the session for open until it ends. */
    private final Duration statementLimit;

    private final ReentrantLock use = new ReentrantLock();
    /** Null without a session; guarded by {@code use}. */
    private Session session;

    /** Whether the session has the leader's lock; guarded by {@code use}. */
    private boolean leads;
    /** Guarded by {@code use}. */
    private boolean closed;

    private volatile String owner;

    /** @param idleLimit when the server ends a session that was not used */
    public LockSession(ConnectionSource source, Dialect dialect, String prefix, Duration idleLimit) {
        this.source = source;
        this.sql = new Sql(dialect, prefix);
        this.idleSeconds = Math.max(1, idleLimit.toSeconds());
        this.answerLimit = RelayConnection.heartbeatLimit(idleLimit);
        this.statementLimit = RelayConnection.sharedLimit(idleLimit);
    }

    private record Session(RelayConnection connection, Jdbc jdbc, LockStatements locks, long id) {}

    /** What answers: which session, and whether its server takes writes. */
    private record Server(long session, boolean isWritable) {}

    private interface Statements<T> {
        T run(Session session) throws SQLException;
    }

    @Override
    public ClaimStrategy kind() {
        return ClaimStrategy.ADVISORY_LOCK;
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public void open(String newOwner) {
        use.lock();
        try {
            end();
            if (closed) {
                throw new SQLException("its node has stopped");
            }
            session = begin();
            if (!session.locks().tryLockNode(newOwner)) {
                throw new SQLException("the lock of node " + newOwner + " is taken");
            }
            owner = newOwner;
        } catch (SQLException e) {
            end();
            throw new StoreException("the lock session could not be opened: " + e.getMessage(), true, e);
        } finally {
            use.unlock();
        }
    }

    private Session begin() throws SQLException {
        RelayConnection connection = RelayConnection.open(source, sql.dialect(), statementLimit);
        try {
            Jdbc jdbc = new Jdbc(connection.connection(), sql.dialect());
            String tables = jdbc.first(sql.laneLocks.lockNamespace, row -> row.getString("tables"))
                    .orElseThrow();
            LockNames names = new LockNames(
                    sql.dialect(), tables, QualifiedName.of(sql.prefix()).name());
            Server server = server(jdbc);
            if (!server.isWritable()) {
                throw new SQLException("the server is read-only", SqlFailure.READ_ONLY_SERVER);
            }
            Session begun = new Session(connection, jdbc, new LockStatements(jdbc, sql, names), server.session());
            // the last step: a shared pool would lend the connection with this limit if another one failed
            jdbc.execute(List.of(sql.laneLocks.idleLimit(idleSeconds)));
            return begun;
        } catch (SQLException | RuntimeException | Error e) {
            connection.closeAfter(e);
            throw e;
        }
    }

    private Server server(Jdbc jdbc) throws SQLException {
        return jdbc.first(sql.laneLocks.lockSession, row -> new Server(row.getLong("id"), row.getInt("writable") == 1))
                .orElseThrow();
    }

    /**
     * Whether a statement still runs in the session that was begun.
     *
     * @throws StoreException if the session is lost
     */
    boolean reachesItself() {
        return inSession(open -> answer(open).session() == open.id());
    }

    /** @throws StoreException if the session is lost, and its locks with it */
    void failIfLost() {
        inSession(this::answer);
    }

    /** The heartbeat waits for it. */
    private Server answer(Session open) throws SQLException {
        return open.connection().promptly(answerLimit, () -> server(open.jdbc()));
    }

    @Override
    public boolean isOpen(String ofOwner) {
        if (!use.tryLock()) {
            // another thread is using it, and ends it itself if it gets no answer
            return ofOwner.equals(owner);
        }
        try {
            endIfOfNoUse();
        } finally {
            use.unlock();
        }
        return ofOwner.equals(owner);
    }

    /**
     * A proxy, or a driver that connects again by itself, passes statements on to another session. And a server that was
     * the primary until a failover may keep its sessions and their locks: other nodes have theirs on the new primary, and
     * none would claim anything. That this account may still write (SUPER, CONNECTION_ADMIN) makes no difference.
     */
    private void endIfOfNoUse() {
        try {
            if (session != null && !new Server(session.id(), true).equals(answer(session))) {
                end();
            }
        } catch (SQLException e) {
            end();
        }
    }

    @Override
    public void abandon() {
        use.lock();
        try {
            end();
        } finally {
            use.unlock();
        }
    }

    /** A heartbeat that hangs while its node stops may want to begin a session later. */
    @Override
    public void close() {
        use.lock();
        try {
            closed = true;
            end();
        } finally {
            use.unlock();
        }
    }

    private void end() {
        owner = null;
        leads = false;
        Session ended = session;
        session = null;
        if (ended != null) {
            boolean unlocked = false;
            try {
                if (source.isShared()) {
                    unlockAll(ended.jdbc());
                }
                unlocked = true;
            } catch (SQLException e) {
                // aborted below
            } finally {
                if (unlocked) {
                    ended.connection().close();
                } else {
                    // its locks must not go back to the pool
                    ended.connection().abort();
                }
            }
        }
    }

    private void unlockAll(Jdbc jdbc) throws SQLException {
        if (!jdbc.connection().getAutoCommit()) {
            jdbc.connection().rollback();
            jdbc.connection().setAutoCommit(true);
        }
        jdbc.execute(sql.laneLocks.endLocks);
    }

    @Override
    public Set<Long> tryLock(Collection<Long> lanes) {
        return inSession(Set.of(), open -> open.locks().tryLockLanes(lanes));
    }

    @Override
    public void unlock(Collection<Long> lanes) {
        inSession(false, open -> {
            open.locks().unlockLanes(lanes);
            return true;
        });
    }

    @Override
    public List<Peer> peers() {
        return inSession(open -> open.jdbc()
                .list(
                        sql.laneLocks.peers,
                        row -> new Peer(row.getString("owner"), row.getInt("state") == IS_DEAD),
                        owner));
    }

    @Override
    public Set<String> present(Collection<String> owners) {
        return inSession(open -> {
            Set<String> present = new HashSet<>(owners);
            present.removeAll(open.locks().freeNodes(owners));
            return present;
        });
    }

    @Override
    public boolean leads() {
        return inSession(false, open -> {
            // a session has a lock as often as it takes it
            leads = leads || open.locks().tryLockLeader();
            return leads;
        });
    }

    /** @param without the answer without a session */
    private <T> T inSession(T without, Statements<T> statements) {
        return owner == null ? without : inSession(statements);
    }

    private <T> T inSession(Statements<T> statements) {
        use.lock();
        try {
            if (session == null) {
                throw new SQLNonTransientConnectionException("there is none", "08003");
            }
            return statements.run(session);
        } catch (SQLException e) {
            // which locks it holds is not known
            end();
            throw new StoreException("the lock session is lost: " + e.getMessage(), true, e);
        } catch (LockTableFullException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            end();
            throw e;
        } finally {
            use.unlock();
        }
    }

    /**
     * A session that is gone can't commit, and in another one the shard has no row, so no other node has the lanes of
     * what is decided here.
     */
    @Override
    public <T> T decide(Map<Lease, List<Long>> lanes, Connections.Work<T> work) {
        use.lock();
        try {
            for (int attempt = 1; ; attempt++) {
                for (Lease lease : lanes.keySet()) {
                    if (!lease.owner().equals(owner)) {
                        throw new LeaseLostException(lease);
                    }
                }
                try {
                    long id = session.id();
                    return OneTransaction.run(session.jdbc(), jdbc -> {
                        // MariaDB's driver for several hosts connects again in setAutoCommit, and says nothing
                        Fence.lock(
                                jdbc,
                                lanes.keySet(),
                                kind()::stored,
                                shards -> sql.nodes.shareFreeShards(shards, id),
                                shards -> sql.nodes.someShards(shards, id));
                        return work.run(jdbc);
                    });
                } catch (LeaseLostException e) {
                    endIfOfNoUse();
                    throw e;
                } catch (SQLException e) {
                    if (SqlFailure.isConnectionLost(e) || !isUsable()) {
                        end();
                    }
                    if (attempt == MAX_ATTEMPTS || !SqlFailure.isRolledBack(e)) {
                        throw SqlFailure.ofStatement("the lock session", e);
                    }
                }
            }
        } finally {
            use.unlock();
        }
    }

    private boolean isUsable() {
        try {
            return session.jdbc().connection().getAutoCommit();
        } catch (SQLException e) {
            return false;
        }
    }
}
