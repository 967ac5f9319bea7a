package io.outboxed.internal.boot;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.Cleanup;
import io.outboxed.internal.retention.RetentionPolicy;
import io.outboxed.internal.retention.RetiredHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is configured to keep the tables small. */
final class MaintenanceTasks {
    private final Dialect dialect;
    private final String prefix;
    private final OutboxConfig.Retention config;
    private final Optional<PartitionMaintainer> partitions;

    /** @throws OutboxException if the database has no partitions, but they are configured */
    MaintenanceTasks(Dialect dialect, String prefix, OutboxConfig.Retention config) {
        this.dialect = dialect;
        this.prefix = prefix;
        this.config = config;
        this.partitions = config.partitions()
                .by()
                .period()
                .map(period -> PartitionSettings.of(period, config.partitions().lookAhead(), config.history()))
                .map(settings -> new PartitionMaintainer(dialect, prefix, settings));
    }

    List<MaintenanceTask> all(Connections connections, OutboxMeters meters, CleanupAudit audit) {
        List<MaintenanceTask> tasks = new ArrayList<>();
        tasks.add(new CleanupTask(
                new Cleanup(dialect, prefix),
                policy(config),
                config.cleanupInterval(),
                prefix,
                connections,
                meters,
                audit,
                System::nanoTime));
        tasks.add(new RetiredHandlersTask(new RetiredHandlers(dialect, prefix), connections));
        partitions
                .map(maintainer ->
                        new PartitionTask(maintainer, config.partitions().interval(), connections))
                .ifPresent(tasks::add);
        return tasks;
    }

    static RetentionPolicy policy(OutboxConfig.Retention config) {
        RetentionPolicy policy = new RetentionPolicy(
                Map.of(
                        AgedTable.INBOX, config.inbox(),
                        AgedTable.AUDIT, config.audit(),
                        AgedTable.OPERATIONS, config.audit()),
                config.batchSize());
        if (config.deadLetters().isPresent()) {
            policy = policy.with(AgedTable.DEAD_LETTERS, config.deadLetters().get());
        }
        if (config.history().isPresent()) {
            policy = policy.with(AgedTable.HISTORY, config.history().get().plus(grace(config.partitions())));
        }
        return policy;
    }

    /** A partition is dropped as a whole: rows are deleted only if that does not happen. */
    private static Duration grace(OutboxConfig.Partitions partitions) {
        return partitions
                .by()
                .period()
                .map(period -> period.longest().plus(partitions.interval().multipliedBy(2)))
                .orElse(Duration.ZERO);
    }
}
