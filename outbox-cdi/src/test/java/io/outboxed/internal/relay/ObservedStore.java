package io.outboxed.internal.relay;

import io.outboxed.internal.store.RelayStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store each call of which somebody watches, who may let it fail. */
final class ObservedStore {
    private ObservedStore() {}

    interface Observer {
        void before(String call);

        void after(String call, Object[] arguments, Object result);
    }

    static RelayStore of(RelayStore store, Observer observer) {
        return (RelayStore) Proxy.newProxyInstance(
                RelayStore.class.getClassLoader(), new Class<?>[] {RelayStore.class}, (proxy, method, arguments) -> {
                    observer.before(method.getName());
                    Object result;
                    try {
                        result = method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    observer.after(method.getName(), arguments, result);
                    return result;
                });
    }
}
