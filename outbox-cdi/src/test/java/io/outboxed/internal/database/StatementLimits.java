package io.outboxed.internal.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Opens connections and records how long the server may take to answer what is executed on them. */
public final class StatementLimits implements ConnectionSource {
    private final ConnectionSource source;
    private final Queue<Statement> statements = new ConcurrentLinkedQueue<>();

    /** @param limitMillis 0 for none */
    public record Statement(String text, int limitMillis) {}

    public StatementLimits(ConnectionSource source) {
        this.source = source;
    }

    public List<Statement> statements() {
        return List.copyOf(statements);
    }

    @Override
    public Connection open() throws SQLException {
        Connection real = source.open();
        int[] limit = {0};
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "getNetworkTimeout":
                            return limit[0];
                        case "setNetworkTimeout":
                            limit[0] = (int) arguments[1];
                            return null;
                        case "prepareStatement":
                            statements.add(new Statement((String) arguments[0], limit[0]));
                            break;
                        case "createStatement", "commit", "rollback":
                            statements.add(new Statement(method.getName(), limit[0]));
                            break;
                        default:
                            break;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
