package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Connections on which there is no memory for the first statement with a name of a table. */
record MemoryShortage(ConnectionSource source, Consumer<Connection> opened) implements ConnectionSource {

    @Override
    public Connection open() throws SQLException {
        Connection real = source.open();
        opened.accept(real);
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        throw new OutOfMemoryError("in a test");
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
