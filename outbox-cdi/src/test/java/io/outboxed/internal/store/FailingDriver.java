package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.WatchedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections whose driver fails once with an exception of its own, at a statement with this text. */
final class FailingDriver implements ConnectionSource {
    private final ConnectionSource real;
    private final String text;
    private final AtomicInteger untilFailure = new AtomicInteger();

    FailingDriver(ConnectionSource real, String text) {
        this.real = real;
        this.text = text;
    }

    /** @param statement 1 for the next one with the text */
    void failAt(int statement) {
        untilFailure.set(statement);
    }

    @Override
    public Connection open() throws SQLException {
        Connection opened = real.open();
        return WatchedConnection.of(opened, call -> {
            if (call.prepared().contains(text) && untilFailure.getAndDecrement() == 1) {
                throw new IllegalStateException("in a test");
            }
            return call.proceed();
        });
    }
}
