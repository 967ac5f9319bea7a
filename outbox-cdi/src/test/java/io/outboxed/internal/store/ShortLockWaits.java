package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;

/** A database whose sessions wait for a lock for one second, where the relay asks for five, to save time. */
record ShortLockWaits(ConnectionSource database) implements ConnectionSource {
    private static final Pattern FIVE_SECONDS = Pattern.compile("(?i)(?<setting>lock(?:_wait)?_timeout(?: = '?| ))5");

    @Override
    public Connection open() throws SQLException {
        Connection connection = database.open();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    Object result = call(connection, method, arguments);
                    return result instanceof Statement statement && !(result instanceof PreparedStatement)
                            ? withShortLockWaits(statement)
                            : result;
                });
    }

    private static Statement withShortLockWaits(Statement statement) {
        return (Statement) Proxy.newProxyInstance(
                Statement.class.getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("execute") && arguments[0] instanceof String sql) {
                        arguments[0] = FIVE_SECONDS.matcher(sql).replaceAll("${setting}1");
                    }
                    return call(statement, method, arguments);
                });
    }

    private static Object call(Object real, Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
