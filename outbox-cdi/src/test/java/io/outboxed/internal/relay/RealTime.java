package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.RelayStore;

/** What a relay needs that runs by the machine's clocks, and notifies no one. */
public final class RealTime {
    private RealTime() {}

    public static RelayDependencies parts(RelayStore store, HandlerInvoker handlers, OutboxConfig config) {
        return new RelayDependencies(
                store,
                handlers,
                config,
                System::nanoTime,
                System::currentTimeMillis,
                () -> 0.5,
                new Notifications() {});
    }
}
