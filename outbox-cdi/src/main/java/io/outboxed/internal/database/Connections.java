package io.outboxed.internal.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The relay's own small pool: READ COMMITTED, bounded waits, reopened after a failure. */
public final class Connections implements AutoCloseable {
    private static final int MAX_ATTEMPTS = 3;
    private static final String NAME = "the relay's connection";
    /**
     * MySQL closes a connection that was idle for 10 s. One that was borrowed from the server's pool must be returned
     * before that: otherwise its settings can't be restored, and the pool would give the dead connection to the
     * application.
     */
    static final Duration IDLE_LIMIT = Duration.ofSeconds(5);

    private static final Duration OPERATOR_PATIENCE = Duration.ofSeconds(5);
    private static final Duration NO_LIMIT = Duration.ofNanos(Long.MAX_VALUE);

    private final Opening opening;
    private final Dialect dialect;
    private final int size;
    private final Duration patience;
    private final long idleLimit;
    private final LongSupplier nanoClock;
    private final Semaphore permits;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private final AtomicLong losses = new AtomicLong();
    private boolean closed;

    public Connections(ConnectionSource source, Dialect dialect, int size) {
        this(source, dialect, size, IDLE_LIMIT, System::nanoTime);
    }

    /** @param idleLimit zero for connections that are used only occasionally */
    public Connections(ConnectionSource source, Dialect dialect, int size, Duration idleLimit, LongSupplier nanoClock) {
        this(() -> RelayConnection.open(source, dialect), dialect, size, NO_LIMIT, idleLimit, nanoClock);
    }

    private Connections(
            Opening opening, Dialect dialect, int size, Duration patience, Duration idleLimit, LongSupplier nanoClock) {
        this.size = size;
        this.patience = patience;
        this.idleLimit = idleLimit.toNanos();
        this.nanoClock = nanoClock;
        this.opening = opening;
        this.dialect = dialect;
        this.permits = new Semaphore(size, true);
    }

    /** For what is worthless after a lease: it is given up in time for another try. */
    public static Connections forHeartbeats(ConnectionSource source, Dialect dialect, int size, Duration lease) {
        HeartbeatOpening opening = new HeartbeatOpening(source, dialect, lease, System::nanoTime);
        return new Connections(opening::open, dialect, size, NO_LIMIT, IDLE_LIMIT, System::nanoTime);
    }

    /**
     * For requests of operators, which come in any number: one that gets no connection within five seconds fails, so
     * that they don't pile up behind slow ones. Closed at once after use.
     */
    public static Connections forOperators(ConnectionSource source, Dialect dialect, int size) {
        return forOperators(source, dialect, size, OPERATOR_PATIENCE);
    }

    static Connections forOperators(ConnectionSource source, Dialect dialect, int size, Duration patience) {
        Opening opening = () -> RelayConnection.open(source, dialect);
        return new Connections(opening, dialect, size, patience, Duration.ZERO, System::nanoTime);
    }

    public interface Work<T> {
        T run(Jdbc jdbc) throws SQLException;
    }

    private interface Opening {
        RelayConnection open() throws SQLException;
    }

    private record Idle(RelayConnection connection, long since) {}

    /** How often a connection was lost or could not be opened: each time another server may answer next. */
    public long losses() {
        return losses.get();
    }

    /** Runs statements in auto-commit mode, each by itself. */
    public <T> T autoCommit(Work<T> work) {
        return withRetries(NAME, () -> once(work, false));
    }

    public <T> T transaction(Work<T> work) {
        return withRetries(NAME, () -> once(work, true));
    }

    /** Repeats at once what the database has rolled back itself; every transaction that comes here may be repeated. */
    public static <T> T withRetries(String connection, SqlSupplier<T> once) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once.get();
            } catch (SQLException e) {
                if (attempt == MAX_ATTEMPTS || !SqlFailure.isRolledBack(e)) {
                    throw SqlFailure.ofStatement(connection, e);
                }
            }
        }
    }

    private <T> T once(Work<T> work, boolean transaction) throws SQLException {
        acquire();
        try {
            RelayConnection borrowed = borrow();
            Connection connection = borrowed.connection();
            boolean reusable = false;
            Exception failure = null;
            try {
                Jdbc jdbc = new Jdbc(connection, dialect);
                T result = transaction ? OneTransaction.run(jdbc, work) : work.run(jdbc);
                reusable = true;
                return result;
            } catch (SQLException | RuntimeException e) {
                failure = e;
                reusable = stillGood(connection, e);
                throw e;
            } finally {
                giveBack(borrowed, reusable, failure);
            }
        } finally {
            permits.release();
        }
    }

    private void acquire() {
        if (patience == NO_LIMIT) {
            permits.acquireUninterruptibly();
            return;
        }
        try {
            if (!permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new StoreException(
                        "connecting to the database: all connections for operators (" + size + ") have been in use for "
                                + patience.toMillis() + " ms",
                        true,
                        null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("connecting to the database: interrupted while waiting for one", true, e);
        }
    }

    private boolean stillGood(Connection connection, Exception cause) {
        if (SqlFailure.isConnectionLost(cause)) {
            losses.incrementAndGet();
            // what broke this connection has probably broken the others too
            closeIdle(cause);
            return false;
        }
        try {
            return connection.getAutoCommit();
        } catch (SQLException e) {
            losses.incrementAndGet();
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
            return opening.open();
        } catch (SQLException e) {
            losses.incrementAndGet();
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

    private void giveBack(RelayConnection connection, boolean reusable, Exception failure) {
        if (!reusable || !keep(connection)) {
            connection.closeAfter(failure);
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
        closeIdle(null);
    }

    private void closeIdle(Exception cause) {
        Idle next;
        while ((next = poll()) != null) {
            next.connection().closeAfter(cause);
        }
    }

    private Idle poll() {
        synchronized (idle) {
            return idle.poll();
        }
    }
}
