package io.outboxed.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;

/** The relay's own few connections: READ COMMITTED, bounded waits, reopened after a failure. */
final class Connections implements AutoCloseable {
    private static final int TRIES = 3;
    /** MySQL's server closes a connection that was idle for 10 s. */
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(5);

    private final ConnectionSource source;
    private final Dialect dialect;
    private final Semaphore permits;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private boolean closed;

    Connections(ConnectionSource source, Dialect dialect, int size) {
        this.source = source;
        this.dialect = dialect;
        this.permits = new Semaphore(size, true);
    }

    interface Work<T> {
        T run(Jdbc jdbc) throws SQLException;
    }

    private record Idle(RelayConnection connection, long since) {}

    /** One statement, its own transaction. */
    <T> T read(Work<T> work) {
        return repeatedly(work, false);
    }

    <T> T transaction(Work<T> work) {
        return repeatedly(work, true);
    }

    /** What the database has rolled back itself is tried again at once; every transaction here may be repeated. */
    private <T> T repeatedly(Work<T> work, boolean transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work, transaction);
            } catch (SQLException e) {
                if (attempt == TRIES || !SqlFailure.isRolledBack(e)) {
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
                T result = transaction ? inTransaction(connection, work) : work.run(new Jdbc(connection, dialect));
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
            // what broke this one has most probably broken the others
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

    private <T> T inTransaction(Connection connection, Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            T result = work.run(new Jdbc(connection, dialect));
            connection.commit();
            connection.setAutoCommit(true);
            return result;
        } catch (SQLException | RuntimeException e) {
            rollback(connection, e);
            throw e;
        }
    }

    private static void rollback(Connection connection, Exception cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            cause.addSuppressed(e);
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
                return RelayConnection.open(source, dialect);
            }
            if (System.nanoTime() - next.since() < IDLE_LIMIT.toNanos()) {
                return next.connection();
            }
            next.connection().close();
        }
    }

    private void giveBack(RelayConnection connection, boolean reusable) {
        synchronized (idle) {
            if (reusable && !closed) {
                idle.push(new Idle(connection, System.nanoTime()));
                return;
            }
        }
        connection.close();
    }

    /** Connections in use are closed when they come back. */
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
