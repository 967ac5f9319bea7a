package io.outboxed.internal.retention;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.NamedLock;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.SqlText;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;

/**
 * One session at a time deletes a batch, whether it is a node's or an operator's. PostgreSQL's lock ends with the
 * transaction, because a pooler such as PgBouncer may give the next one another session. On H2 two cleanups share the
 * rows.
 */
final class CleanupLock {
    /** As long as a row lock is waited for. PostgreSQL has the limit in its session. */
    private static final int MOST_SECONDS = 5;

    private final Dialect dialect;
    private final NamedLock lock;

    CleanupLock(SqlText sql) {
        this.dialect = sql.dialect();
        this.lock = new NamedLock(sql, "outbox_cleanup");
    }

    /**
     * Runs a transaction while no other session has the lock.
     *
     * @throws CleanupBusyException if another one keeps it
     */
    <T> T transact(Jdbc jdbc, Connections.Work<T> work) throws SQLException {
        return switch (dialect) {
            case H2 -> OneTransaction.run(jdbc, work);
            case POSTGRESQL ->
                OneTransaction.run(jdbc, each -> {
                    await(each);
                    return work.run(each);
                });
            case MYSQL, MARIADB -> {
                if (jdbc.number(lock.waitingAtMost(MOST_SECONDS)).orElseThrow() != 1) {
                    throw new CleanupBusyException(
                            MOST_SECONDS, new SQLTimeoutException("the named lock of the cleanup is taken", "HYT00"));
                }
                try {
                    yield OneTransaction.run(jdbc, work);
                } finally {
                    jdbc.number(lock.unlock());
                }
            }
        };
    }

    private void await(Jdbc jdbc) throws SQLException {
        try {
            jdbc.exists(lock.untilCommit());
        } catch (SQLException e) {
            if (SqlFailure.isLocked(e)) {
                throw new CleanupBusyException(MOST_SECONDS, e);
            }
            throw e;
        }
    }
}
