package io.outboxed.internal.boot;

import io.outboxed.internal.config.OutboxConfig.Partitions;
import io.outboxed.internal.config.OutboxConfig.Retention;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.retention.RetentionPolicy;
import java.time.Duration;
import java.util.Optional;

/** A node's own cleanup, which keeps the history for 90 days. */
public final class NodeCleanup {
    private static final Retention RETENTION = new Retention(
            true,
            Duration.ofDays(30),
            Optional.of(Duration.ofDays(90)),
            Optional.empty(),
            Duration.ofDays(365),
            Retention.DEFAULTS.cleanupInterval(),
            RetentionPolicy.DEFAULT_BATCH_SIZE,
            Partitions.DEFAULTS);

    private NodeCleanup() {}

    public static MaintenanceTask of(Connections connections, Dialect dialect) {
        return new MaintenanceTasks(dialect, "outbox_", RETENTION)
                .all(connections, OutboxMeters.none())
                .get(0);
    }
}
