package io.outboxed.internal.relay;

import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;

/** A store that can't be reached while its database is down, and between two statements of which others get their turn. */
final class OutageStore {
    private OutageStore() {}

    static RelayStore of(RelayStore store, BooleanSupplier isDown, Runnable others) {
        return (RelayStore) Proxy.newProxyInstance(
                RelayStore.class.getClassLoader(), new Class<?>[] {RelayStore.class}, (proxy, method, arguments) -> {
                    if (isDown.getAsBoolean()) {
                        throw new StoreException("the database is down: " + method.getName(), true, null);
                    }
                    try {
                        Object result = method.invoke(store, arguments);
                        others.run();
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
