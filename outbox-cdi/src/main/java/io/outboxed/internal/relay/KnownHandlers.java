package io.outboxed.internal.relay;

import io.outboxed.internal.store.Registry;
import io.outboxed.internal.store.RelayStore;
import java.time.Duration;
import java.util.Set;

/**
 * The registered handlers of all deployments, as this loop last read them. A message whose publisher knew more is a reason
 * to read again, so that no handler of a newer deployment is missed. Owned by the loop.
 */
final class KnownHandlers {
    private static final long REFRESH = Duration.ofSeconds(5).toNanos();

    private final RelayStore store;
    private Registry registry = Registry.EMPTY;
    private long readAt;

    KnownHandlers(RelayStore store) {
        this.store = store;
    }

    void refresh(long wanted, long now) {
        if (registry == Registry.EMPTY || wanted > registry.version() || now - readAt > REFRESH) {
            registry = store.registry();
            readAt = now;
        }
    }

    Set<String> of(String type) {
        return registry.of(type);
    }
}
