package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        if (method.getName().equals("commit") && commits.incrementAndGet() == commit) {
                            meanwhile.run();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
