package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.WatchedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections of a node that stands still once, after a commit, while others go on. */
record PausedAfterCommit(ConnectionSource source, int commit, Runnable meanwhile, AtomicInteger commits)
        implements ConnectionSource {

    PausedAfterCommit(ConnectionSource source, int commit, Runnable meanwhile) {
        this(source, commit, meanwhile, new AtomicInteger());
    }

    @Override
    public Connection open() throws SQLException {
        Connection real = source.open();
        return WatchedConnection.of(real, call -> {
            Object result = call.proceed();
            if (call.is("commit") && commits.incrementAndGet() == commit) {
                meanwhile.run();
            }
            return result;
        });
    }
}
