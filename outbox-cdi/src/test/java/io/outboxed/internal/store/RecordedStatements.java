package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Connections that write down which statements are prepared on them. */
final class RecordedStatements implements ConnectionSource {
    private final ConnectionSource source;
    private final Queue<String> prepared = new ConcurrentLinkedQueue<>();
    private final Consumer<String> before;

    RecordedStatements(ConnectionSource source) {
        this(source, statement -> {});
    }

    /** @param before called with each statement before it is prepared */
    RecordedStatements(ConnectionSource source, Consumer<String> before) {
        this.source = source;
        this.before = before;
    }

    @Override
    public Connection open() throws SQLException {
        Connection real = source.open();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        prepared.add((String) arguments[0]);
                        before.accept((String) arguments[0]);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** How often this one was prepared. */
    long count(String statement) {
        return prepared.stream().filter(statement::equals).count();
    }

    List<String> beginningWith(String beginning) {
        return prepared.stream().filter(sql -> sql.startsWith(beginning)).toList();
    }
}
