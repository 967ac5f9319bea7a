package io.outboxed.internal.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A connection set up for the relay: READ COMMITTED, bounded waits. A connection of a shared pool gets its settings
 * back before it is returned: the pool does not reset them, and MySQL would close it while the application uses it
 * after ten idle seconds.
 */
public final class RelayConnection implements AutoCloseable {
    /** An answer that takes longer is lost. */
    static final Duration NETWORK_LIMIT = Duration.ofSeconds(20);

    /** The dialects limit a wait for a lock to five seconds. */
    private static final Duration LOCK_WAIT_AND_ANSWER = Duration.ofSeconds(6);

    /** The server gives up a little sooner than its client, which then keeps the connection. */
    private static final int SHARES_OF_THE_LIMIT = 20;

    /** A few statements that touch no data. */
    private static final Duration UNDO_LIMIT = Duration.ofSeconds(2);

    private final Connection connection;
    private final Duration networkLimit;
    /** The last change first, so that the limit for the network is lifted last. */
    private final Deque<Change> undo = new ArrayDeque<>();

    private interface Change {
        void run() throws SQLException;
    }

    private RelayConnection(Connection connection, Duration networkLimit) {
        this.connection = connection;
        this.networkLimit = networkLimit;
    }

    public static RelayConnection open(ConnectionSource source, Dialect dialect) throws SQLException {
        return open(source, dialect, NETWORK_LIMIT);
    }

    /** @param networkLimit how long each answer of the server may take; the server gives a statement a little less */
    public static RelayConnection open(ConnectionSource source, Dialect dialect, Duration networkLimit)
            throws SQLException {
        return of(source.connect(), source, dialect, networkLimit);
    }

    static RelayConnection of(Connection connection, ConnectionSource source, Dialect dialect, Duration networkLimit)
            throws SQLException {
        RelayConnection opened = new RelayConnection(connection, networkLimit);
        try {
            opened.setUp(dialect, source.isShared());
            return opened;
        } catch (SQLException | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    /** For a heartbeat on a lost network path: there is time for another one before the lease is over. */
    public static Duration heartbeatLimit(Duration lease) {
        return lease.dividedBy(3);
    }

    /**
     * For a session on which a heartbeat waits while others use it. Their statements may wait for a lock, so it is longer
     * than that.
     */
    public static Duration sharedLimit(Duration lease) {
        Duration wanted = heartbeatLimit(lease);
        if (wanted.compareTo(LOCK_WAIT_AND_ANSWER) < 0) {
            return LOCK_WAIT_AND_ANSWER;
        }
        return wanted.compareTo(NETWORK_LIMIT) > 0 ? NETWORK_LIMIT : wanted;
    }

    public Connection connection() {
        return connection;
    }

    private void setUp(Dialect dialect, boolean shared) throws SQLException {
        boolean limited = limitNetwork(shared);
        connection.setAutoCommit(true);
        Jdbc jdbc = new Jdbc(connection, dialect);
        if (shared) {
            remember(jdbc);
        }
        if (shared && limited) {
            undo.push(() -> limitNetwork(UNDO_LIMIT));
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        jdbc.execute(dialect.sessionSettings());
        jdbc.execute(dialect.statementLimit(networkLimit.minus(networkLimit.dividedBy(SHARES_OF_THE_LIMIT))));
    }

    /**
     * A server that no longer answers (frozen, network gone) must not block a thread for hours.
     *
     * @return false: H2 in this JVM has no network
     */
    private boolean limitNetwork(boolean shared) throws SQLException {
        try {
            Duration before = Duration.ofMillis(shared ? connection.getNetworkTimeout() : 0);
            limitNetwork(networkLimit);
            if (shared) {
                undo.push(() -> limitNetwork(before));
            }
            return true;
        } catch (SQLFeatureNotSupportedException e) {
            return false;
        }
    }

    private void limitNetwork(Duration limit) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) limit.toMillis());
    }

    private void remember(Jdbc jdbc) throws SQLException {
        int isolation = connection.getTransactionIsolation();
        List<String> settings = jdbc.first(
                        jdbc.dialect().currentSettings(),
                        row -> row.getString(1).lines().toList())
                .orElseThrow();
        undo.push(() -> connection.setTransactionIsolation(isolation));
        undo.push(() -> jdbc.execute(settings));
    }

    /** Reads what is not worth waiting for as long as for other statements. */
    public <T> T promptly(Duration limit, SqlSupplier<T> reading) throws SQLException {
        limitNetwork(limit);
        T result = reading.get();
        limitNetwork(networkLimit);
        return result;
    }

    /** Ends the connection to the server, whatever its pool does with it. Never throws. */
    public void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // broken already
        } finally {
            close();
        }
    }

    /**
     * Like {@link #close()}, but aborts a connection to a read-only server, which its pool would consider healthy and lend
     * again.
     *
     * @param failure may be null
     */
    public void closeAfter(Throwable failure) {
        if (SqlFailure.isReadOnly(failure)) {
            abort();
        } else {
            close();
        }
    }

    /** Never throws: a connection that can't be closed is abandoned. */
    @Override
    public void close() {
        try (connection) {
            restore();
        } catch (SQLException e) {
            // already broken, and its pool will notice that too
            return;
        }
    }

    private void restore() throws SQLException {
        try {
            for (Change change : undo) {
                change.run();
            }
        } catch (SQLException e) {
            if (!undo.isEmpty()) {
                // it is broken: a pool that opens it again does so only without the limit
                undo.getLast().run();
            }
            throw e;
        }
    }
}
