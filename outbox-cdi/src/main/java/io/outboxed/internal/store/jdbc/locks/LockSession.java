package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.LockTableFullException;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The session that a node keeps for as long as it has its owner id. After any doubt about what it holds, it is ended.
 * The server ends it when it has not been used for a lease, because its host has vanished or its process is frozen.
 * Thread-safe.
 */
final class LockSession {
    private final ConnectionSource source;
    private final Sql sql;
    private final Duration idleLimit;

    private final ReentrantLock use = new ReentrantLock();
    /** Null without a session; guarded by {@code use}. */
    private OpenSession session;
    /** Guarded by {@code use}. */
    private boolean closed;

    private volatile String owner;

    /** @param idleLimit when the server ends a session that was not used */
    LockSession(ConnectionSource source, Sql sql, Duration idleLimit) {
        this.source = source;
        this.sql = sql;
        this.idleLimit = idleLimit;
    }

    interface Statements<T> {
        T run(OpenSession session) throws SQLException;
    }

    /** Null without a session. */
    String owner() {
        return owner;
    }

    void open(String newOwner) {
        use.lock();
        try {
            end();
            if (closed) {
                throw new SQLException("its node has stopped");
            }
            session = OpenSession.begin(source, sql, idleLimit);
            if (!session.locks().tryLockNode(newOwner)) {
                throw new SQLException("the lock of node " + newOwner + " is taken");
            }
            owner = newOwner;
        } catch (SQLException e) {
            end();
            throw new StoreException("the lock session could not be opened: " + e.getMessage(), true, e);
        } catch (RuntimeException | Error e) {
            end();
            throw e;
        } finally {
            use.unlock();
        }
    }

    boolean isOpen(String ofOwner) {
        if (!use.tryLock()) {
            // another thread is using it, and ends it itself if it gets no answer
            return ofOwner.equals(owner);
        }
        try {
            endUnlessUsable();
        } finally {
            use.unlock();
        }
        return ofOwner.equals(owner);
    }

    void endUnlessUsable() {
        try {
            if (owner != null && !run(OpenSession::isUsable)) {
                abandon();
            }
        } catch (StoreException e) {
            // it has ended
        }
    }

    void abandon() {
        use.lock();
        try {
            end();
        } finally {
            use.unlock();
        }
    }

    /** A heartbeat that hangs while its node stops may want to begin a session later. */
    void close() {
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
        OpenSession ended = session;
        session = null;
        if (ended != null) {
            ended.end();
        }
    }

    /** @param without the answer without a session */
    <T> T run(T without, Statements<T> statements) {
        return owner == null ? without : run(statements);
    }

    /**
     * Statements whose failure ends the session, unless they say otherwise.
     *
     * @throws StoreException if the session is lost, and its locks with it
     */
    <T> T run(Statements<T> statements) {
        use.lock();
        try {
            return statements.run(current());
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

    /** No other thread uses the session meanwhile. */
    <T> T exclusively(Supplier<T> work) {
        use.lock();
        try {
            return work.get();
        } finally {
            use.unlock();
        }
    }

    /** Call it in {@link #exclusively}. */
    OpenSession current() throws SQLException {
        if (session == null) {
            throw new SQLNonTransientConnectionException("there is none", "08003");
        }
        return session;
    }
}
