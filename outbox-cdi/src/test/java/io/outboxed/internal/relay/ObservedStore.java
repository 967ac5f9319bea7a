package io.outboxed.internal.relay;

import io.outboxed.internal.store.Ports;
import io.outboxed.internal.store.RelayStore;

/** A store with an observer of each call, which may make it fail. */
public final class ObservedStore {
    private ObservedStore() {}

    public interface Observer {
        default void before(String call) {}

        default void after(String call, Object[] arguments, Object result) {}

        /** Of connections, beside those of the store itself. */
        default long losses() {
            return 0;
        }
    }

    public static RelayStore of(RelayStore store, Observer observer) {
        return Ports.through(
                (proxy, method, arguments) -> {
                    observer.before(method.getName());
                    Object result = Ports.call(store, method, arguments);
                    observer.after(method.getName(), arguments, result);
                    return result;
                },
                store.locks().isPresent(),
                () -> store.losses().getAsLong() + observer.losses());
    }
}
