package io.outboxed.internal.store;

import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Nodes;
import io.outboxed.internal.store.cluster.ShardLeases;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.LongSupplier;

/** All ports of a store in one object, so that every call can pass through one place. */
public interface Ports
        extends Nodes, ShardLeases, HandlerRegistrations, MessageReads, Acks, FencedWriter, Statistics, LaneLocks {

    /** A store whose calls all go to this handler. */
    static RelayStore through(InvocationHandler handler) {
        return through(handler, false, () -> 0);
    }

    /**
     * @param locked whether it has locks of lanes
     * @param losses of connections
     */
    static RelayStore through(InvocationHandler handler, boolean locked, LongSupplier losses) {
        Ports all = (Ports) Proxy.newProxyInstance(Ports.class.getClassLoader(), new Class<?>[] {Ports.class}, handler);
        return new RelayStore(all, all, all, all, all, all, all, locked ? Optional.of(all) : Optional.empty(), losses);
    }

    /** Passes a call of such a handler on to this store. */
    static Object call(RelayStore store, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(port(store, method.getDeclaringClass()), arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object port(RelayStore store, Class<?> port) {
        if (port == Nodes.class) {
            return store.nodes();
        } else if (port == ShardLeases.class) {
            return store.shards();
        } else if (port == HandlerRegistrations.class) {
            return store.handlers();
        } else if (port == MessageReads.class) {
            return store.reads();
        } else if (port == Acks.class) {
            return store.acks();
        } else if (port == FencedWriter.class) {
            return store.writes();
        } else if (port == Statistics.class) {
            return store.statistics();
        } else if (port == LaneLocks.class) {
            return store.locks().orElseThrow();
        }
        throw new IllegalArgumentException("no port: " + port);
    }
}
