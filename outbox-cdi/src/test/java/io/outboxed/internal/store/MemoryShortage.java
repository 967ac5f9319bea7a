package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.WatchedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Connections on which there is no memory for the first statement with a name of a table. */
record MemoryShortage(ConnectionSource source, Consumer<Connection> opened) implements ConnectionSource {

    @Override
    public Connection open() throws SQLException {
        Connection real = source.open();
        opened.accept(real);
        return WatchedConnection.of(real, call -> {
            if (call.is("prepareStatement")) {
                throw new OutOfMemoryError("in a test");
            }
            return call.proceed();
        });
    }
}
