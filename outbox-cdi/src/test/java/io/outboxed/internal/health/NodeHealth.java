package io.outboxed.internal.health;

import io.outboxed.internal.config.OutboxConfig;
import java.util.function.LongSupplier;

/** For tests of what reports to it: the health of a node, and what a probe reads. */
public final class NodeHealth {
    public final RelayHealth reports;

    public NodeHealth(OutboxConfig config, LongSupplier nanoClock) {
        reports = new RelayHealth(config, nanoClock);
    }

    public boolean isStoreUp() {
        return reports.store().up();
    }
}
