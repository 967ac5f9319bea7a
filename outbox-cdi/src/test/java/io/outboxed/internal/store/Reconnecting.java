package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.WatchedConnection;
import java.sql.Connection;
import java.sql.SQLException;

/** Connections that get another session before a transaction if theirs is gone, as those of MariaDB's driver do. */
final class Reconnecting implements ConnectionSource {
    private final ConnectionSource server;

    Reconnecting(ConnectionSource server) {
        this.server = server;
    }

    @Override
    public Connection open() throws SQLException {
        Connection[] session = {server.open()};
        return WatchedConnection.of(null, call -> {
            if (call.is("setAutoCommit") && !session[0].isValid(5)) {
                session[0] = server.open();
            }
            return call.proceedOn(session[0]);
        });
    }
}
