package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("setAutoCommit") && !session[0].isValid(5)) {
                        session[0] = server.open();
                    }
                    try {
                        return method.invoke(session[0], arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
