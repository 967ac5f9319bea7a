package io.outboxed.internal.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/** The relay's own small pool: READ COMMITTED, bounded waits, reopened after a failure. */
public final class Connections implements AutoCloseable {
    private static final int MAX_ATTEMPTS = 3;
    /**
     * MySQL closes a connection that was idle for 10 s. One that was borrowed from the server's pool must be returned
     * before that: otherwise its settings can't be restored, and the pool would give the dead connection to the
     * application.
     */
    static final Duration IDLE_LIMIT = Duration.ofSeconds(5);

    private final ConnectionSource source;
    private final Dialect dialect;
    private final long idleLimit;
    private final LongSupplier nanoClock;
    private final Semaphore permits;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private boolean closed;

    public Connections(ConnectionSource source, Dialect dialect, int size) {
        this(source, dialect, size, IDLE_LIMIT, System::nanoTime);
    }

    /** @param idleLimit zero for connections that are used only occasionally */
    public Connections(ConnectionSource source, Dialect dialect, int size, Duration idleLimit, LongSupplier nanoClock) {
        this.idleLimit = idleLimit.toNanos();
        this.nanoClock = nanoClock;
        this.source = source;
        this.dialect = dialect;
        this.permits = new Semaphore(size, true);
    }

    public interface Work<T> {
        T run(Jdbc jdbc) throws SQLException;
    }

    private record Idle(RelayConnection connection, long since) {}

    /** Runs one statement in auto-commit mode. */
    public <T> T read(Work<T> work) {
        return repeatedly(work, false);
    }

    public <T> T transaction(Work<T> work) {
        return repeatedly(work, true);
    }

    /** Repeats at once what the database has rolled back itself; every transaction that comes here may be repeated. */
    private <T> T repeatedly(Work<T> work, boolean transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work, transaction);
            } catch (SQLException e) {
                if (attempt == MAX_ATTEMPTS || !SqlFailure.isRolledBack(e)) {
                    throw SqlFailure.toStoreException(
                            e instanceof Jdbc.LocatedSqlException located ? located.what() : "the relay's connection",
                            e);
                }
            }
        }
    }

    private <T> T once(Work<T> work, boolean transaction) throws SQLException {
        permits.acquireUninterruptibly();
        try {
            RelayConnection borrowed = borrow();
            Connection connection = borrowed.connection();
            boolean reusable = false;
            try {
                Jdbc jdbc = new Jdbc(connection, dialect);
                T result = transaction ? OneTransaction.run(jdbc, work) : work.run(jdbc);
                reusable = true;
                return result;
            } catch (SQLException e) {
                reusable = stillGood(connection, e);
                throw e;
            } catch (RuntimeException e) {
                reusable = stillGood(connection, e);
                throw e;
            } finally {
                giveBack(borrowed, reusable);
            }
        } finally {
            permits.release();
        }
    }

    private boolean stillGood(Connection connection, Exception cause) {
        if (SqlFailure.isConnectionLost(cause)) {
            // what broke this connection has probably broken the others too
            closeIdle();
            return false;
        }
        try {
            return connection.getAutoCommit();
        } catch (SQLException e) {
            cause.addSuppressed(e);
            return false;
        }
    }

    private RelayConnection borrow() throws SQLException {
        while (true) {
            Idle next;
            synchronized (idle) {
                if (closed) {
                    throw new SQLException("the relay's connections are closed", "08003");
                }
                next = idle.poll();
            }
            if (next == null) {
                return open();
            }
            if (!isTooOld(next)) {
                return next.connection();
            }
            next.connection().close();
        }
    }

    /** No statement has run, so whatever the reason is, it concerns no row: a pool's own exceptions have no SQLState. */
    private RelayConnection open() throws SQLException {
        try {
            return RelayConnection.open(source, dialect);
        } catch (SQLException e) {
            throw new SQLTransientConnectionException(e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
        }
    }

    private boolean isTooOld(Idle connection) {
        return nanoClock.getAsLong() - connection.since() >= idleLimit;
    }

    /** The connection used last is reused first, so the others may be idle for a long time even under constant load. */
    private void closeTooOld() {
        Idle oldest;
        while ((oldest = pollTooOld()) != null) {
            oldest.connection().close();
        }
    }

    private Idle pollTooOld() {
        synchronized (idle) {
            return !idle.isEmpty() && isTooOld(idle.peekLast()) ? idle.pollLast() : null;
        }
    }

    private void giveBack(RelayConnection connection, boolean reusable) {
        if (!reusable || !keep(connection)) {
            connection.close();
        }
        closeTooOld();
    }

    private boolean keep(RelayConnection connection) {
        synchronized (idle) {
            if (!closed) {
                idle.push(new Idle(connection, nanoClock.getAsLong()));
            }
            return !closed;
        }
    }

    /** Connections in use are closed when they are returned. */
    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
        }
        closeIdle();
    }

    private void closeIdle() {
        Idle next;
        while ((next = poll()) != null) {
            next.connection().close();
        }
    }

    private Idle poll() {
        synchronized (idle) {
            return idle.poll();
        }
    }
}
