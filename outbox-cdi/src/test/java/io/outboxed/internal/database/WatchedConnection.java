package io.outboxed.internal.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;

/** A connection whose calls a test sees first: it may note, change or fail one, or answer it itself. */
public final class WatchedConnection {
    private WatchedConnection() {}

    public interface Watcher {
        /** @return what the call returns */
        Object called(Call call) throws Throwable;
    }

    public static Connection of(Connection real, Watcher watcher) {
        return (Connection) Proxy.newProxyInstance(
                WatchedConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> watcher.called(new Call(real, method, arguments)));
    }

    /** As a pool lends it: closing it only returns it. */
    public static Connection unclosed(Connection physical) {
        return of(physical, call -> call.is("close") ? null : call.proceed());
    }

    /** @param arguments may be changed before it proceeds */
    public record Call(Connection real, Method method, Object[] arguments) {

        public boolean is(String name) {
            return method.getName().equals(name);
        }

        public String name() {
            return method.getName();
        }

        /** The statement to be prepared; empty in any other call. */
        public String prepared() {
            return is("prepareStatement") ? (String) arguments[0] : "";
        }

        public Object proceed() throws Throwable {
            return proceedOn(real);
        }

        public Object proceedOn(Connection session) throws Throwable {
            try {
                return method.invoke(session, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
