package io.outboxed.internal.relay;

import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;

/** A store that can't be reached while its database is down. */
final class OutageStore {
    private OutageStore() {}

    static RelayStore of(RelayStore store, BooleanSupplier isDown) {
        return (RelayStore) Proxy.newProxyInstance(
                RelayStore.class.getClassLoader(), new Class<?>[] {RelayStore.class}, (proxy, method, arguments) -> {
                    if (isDown.getAsBoolean()) {
                        throw new StoreException("the database is down: " + method.getName(), true, null);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
