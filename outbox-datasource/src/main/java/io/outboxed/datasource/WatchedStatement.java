package io.outboxed.datasource;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * Reports when a write is refused because the server or the transaction is read-only: neither drivers nor pools treat
 * that as a lost connection.
 */
final class WatchedStatement implements InvocationHandler {
    /** MySQL, MariaDB: with --read-only or --super-read-only, and in read-only mode. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1836);

    /** PostgreSQL. */
    private static final String READ_ONLY_STATE = "25006";

    private final Statement statement;
    private final Runnable refused;

    private WatchedStatement(Statement statement, Runnable refused) {
        this.statement = statement;
        this.refused = refused;
    }

    /** @param refused called before the caller gets the exception */
    static Statement of(Statement statement, Runnable refused) {
        Class<?> kind = statement instanceof CallableStatement
                ? CallableStatement.class
                : statement instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
        return (Statement) Proxy.newProxyInstance(
                WatchedStatement.class.getClassLoader(),
                new Class<?>[] {kind},
                new WatchedStatement(statement, refused));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "equals" -> {
                return proxy == arguments[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            default -> {}
        }
        try {
            return method.invoke(statement, arguments);
        } catch (InvocationTargetException e) {
            if (isReadOnly(e.getCause())) {
                refused.run();
            }
            throw e.getCause();
        }
    }

    /** Of a batch, only the next exception may be the server's. */
    static boolean isReadOnly(Throwable failure) {
        if (failure instanceof SQLException) {
            for (SQLException next = (SQLException) failure; next != null; next = next.getNextException()) {
                if (READ_ONLY.contains(next.getErrorCode()) || READ_ONLY_STATE.equals(next.getSQLState())) {
                    return true;
                }
            }
        }
        return false;
    }
}
