package io.outboxed.internal.relay;

import io.outboxed.internal.store.Ports;
import io.outboxed.internal.store.RelayStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store in which something else happens between two statements: what threads of other nodes do at the worst moment.
 */
public final class BetweenStatements {
    private BetweenStatements() {}

    /** @param methods after the first call of any of these, and only then */
    public static RelayStore after(RelayStore store, List<String> methods, Runnable happening) {
        AtomicBoolean happened = new AtomicBoolean();
        return proxy(store, methods, () -> {
            if (happened.compareAndSet(false, true)) {
                happening.run();
            }
        });
    }

    public static RelayStore eachTime(RelayStore store, String method, Runnable happening) {
        return proxy(store, List.of(method), happening);
    }

    private static RelayStore proxy(RelayStore store, List<String> methods, Runnable happening) {
        return Ports.through((proxy, method, arguments) -> {
            Object result = Ports.call(store, method, arguments);
            if (methods.contains(method.getName())) {
                happening.run();
            }
            return result;
        });
    }
}
