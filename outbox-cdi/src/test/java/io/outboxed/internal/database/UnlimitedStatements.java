package io.outboxed.internal.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Opens connections and collects what is executed on them while the network has no limit. */
public final class UnlimitedStatements implements ConnectionSource {
    private final ConnectionSource source;
    private final List<String> found = new ArrayList<>();
    private int statements;

    public UnlimitedStatements(ConnectionSource source) {
        this.source = source;
    }

    public List<String> found() {
        return found;
    }

    public int statements() {
        return statements;
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
                        case "prepareStatement", "createStatement", "commit":
                            statements++;
                            (limit[0] == 0 ? found : new ArrayList<String>())
                                    .add(method.getName() + (arguments == null ? "" : " " + List.of(arguments)));
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
