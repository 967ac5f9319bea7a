package io.outboxed.internal.relay;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.Ports;
import io.outboxed.internal.store.RelayStore;
import java.util.function.BooleanSupplier;

/** A store that can't be reached while its database is down, and that lets others act between two statements. */
public final class OutageStore {
    private OutageStore() {}

    public static RelayStore of(RelayStore store, BooleanSupplier isDown, Runnable others) {
        return Ports.through((proxy, method, arguments) -> {
            if (isDown.getAsBoolean()) {
                throw new StoreException("the database is down: " + method.getName(), true, null);
            }
            Object result = Ports.call(store, method, arguments);
            others.run();
            return result;
        });
    }
}
