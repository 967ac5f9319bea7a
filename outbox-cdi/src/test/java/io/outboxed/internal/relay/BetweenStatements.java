package io.outboxed.internal.relay;

import io.outboxed.internal.store.RelayStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A store between two statements of which something else happens: what threads of other nodes do at the worst moment. */
final class BetweenStatements {
    private BetweenStatements() {}

    /** @param methods after the first call of any of these, and only then */
    static RelayStore after(RelayStore store, List<String> methods, Runnable happening) {
        AtomicBoolean happened = new AtomicBoolean();
        return proxy(store, methods, () -> {
            if (happened.compareAndSet(false, true)) {
                happening.run();
            }
        });
    }

    static RelayStore eachTime(RelayStore store, String method, Runnable happening) {
        return proxy(store, List.of(method), happening);
    }

    private static RelayStore proxy(RelayStore store, List<String> methods, Runnable happening) {
        return (RelayStore) Proxy.newProxyInstance(
                RelayStore.class.getClassLoader(), new Class<?>[] {RelayStore.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(store, arguments);
                        if (methods.contains(method.getName())) {
                            happening.run();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
