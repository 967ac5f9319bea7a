package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.WatchedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections that are lost in a commit, before or after the database has made it, and none can be opened afterwards. */
final class LostAtCommit implements ConnectionSource {
    private final ConnectionSource source;
    private final int fatalCommit;
    private final boolean committed;
    private final AtomicInteger commits = new AtomicInteger();
    private volatile boolean restarted;

    LostAtCommit(ConnectionSource source, int fatalCommit, boolean committed) {
        this.source = source;
        this.fatalCommit = fatalCommit;
        this.committed = committed;
    }

    @Override
    public Connection open() throws SQLException {
        if (commits.get() >= fatalCommit && !restarted) {
            throw down();
        }
        Connection real = source.open();
        return WatchedConnection.of(real, call -> {
            if (call.is("commit") && commits.incrementAndGet() == fatalCommit) {
                if (committed) {
                    real.commit();
                }
                real.close();
                throw down();
            }
            return call.proceed();
        });
    }

    void restart() {
        restarted = true;
    }

    private static SQLException down() {
        return new SQLException("the database is down", "08006");
    }
}
