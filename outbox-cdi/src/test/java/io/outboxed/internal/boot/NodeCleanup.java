package io.outboxed.internal.boot;

import io.outboxed.internal.config.OutboxConfig.Partitions;
import io.outboxed.internal.config.OutboxConfig.Retention;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.operations.AuditTrail;
import io.outboxed.internal.relay.MaintenanceTask;
import java.time.Duration;
import java.util.Optional;

/** A node's own cleanup, which keeps the history and dead letters for 90 days. */
public final class NodeCleanup {
    public static final String NODE = "shop-1";
    public static final int BATCH_SIZE = 3;
    private static final Duration KEPT = Duration.ofDays(90);
    private static final Retention RETENTION = new Retention(
            true,
            Duration.ofDays(30),
            Optional.of(KEPT),
            Optional.of(KEPT),
            Duration.ofDays(365),
            Retention.DEFAULTS.cleanupInterval(),
            BATCH_SIZE,
            Partitions.DEFAULTS);

    private NodeCleanup() {}

    public static MaintenanceTask of(Connections connections, Dialect dialect, String prefix, AuditTrail audit) {
        return new MaintenanceTasks(dialect, prefix, RETENTION)
                .all(connections, OutboxMeters.none(), new CleanupAudit(audit, NODE))
                .get(0);
    }
}
