package io.outboxed.internal.operations;

import io.outboxed.admin.Attribution;
import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.partitions.PartitionDryRun;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionProgress;
import io.outboxed.internal.partitions.PartitionRun;
import io.outboxed.internal.partitions.PartitionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** Maintains the partitions of the history on request, as a node does it. */
public final class HistoryPartitions {
    private final ConnectionSource source;
    private final Dialect dialect;
    private final String prefix;
    private final AuditTrail audit;

    HistoryPartitions(ConnectionSource source, Dialect dialect, String prefix, AuditTrail audit) {
        this.source = source;
        this.dialect = dialect;
        this.prefix = prefix;
        this.audit = audit;
    }

    private interface Work<T> {
        T run(PartitionMaintainer maintainer, Connection connection) throws SQLException;
    }

    /** Changes nothing. */
    public PartitionDryRun plan(PartitionSettings settings) {
        return run(settings, PartitionMaintainer::dryRun);
    }

    /** A run that has something to change has one row in the audit, which names all its changes. */
    public PartitionRun apply(PartitionSettings settings, Attribution by) {
        UUID id = UUID.randomUUID();
        BatchRecorder<PartitionProgress> recorder = (jdbc, progress) -> audit.sum(
                jdbc, id, by, "partitions", progress.words(), progress.made().size());
        return run(settings, (maintainer, connection) -> maintainer.run(connection, recorder));
    }

    private <T> T run(PartitionSettings settings, Work<T> work) {
        PartitionMaintainer maintainer = new PartitionMaintainer(dialect, prefix, settings);
        try (Connection connection = source.open()) {
            if (settings.acceptsAnyTail()) {
                // to count, copy or read the rows of a tail takes as long as it takes
                connection.setNetworkTimeout(Runnable::run, 0);
            }
            return work.run(maintainer, connection);
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("maintaining the partitions of the history", e);
        }
    }
}
