package io.outboxed.internal.boot;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionRun;
import io.outboxed.internal.relay.MaintenanceTask;
import java.time.Duration;

/** Maintains the partitions of the history. */
final class PartitionTask implements MaintenanceTask {
    private final PartitionMaintainer maintainer;
    private final Duration interval;
    private final Connections connections;

    PartitionTask(PartitionMaintainer maintainer, Duration interval, Connections connections) {
        this.maintainer = maintainer;
        this.interval = interval;
        this.connections = connections;
    }

    @Override
    public String name() {
        return "partitions";
    }

    @Override
    public Duration interval() {
        return interval;
    }

    @Override
    public Step step() {
        PartitionRun run = connections.read(jdbc -> maintainer.run(jdbc.connection()));
        boolean complete = run instanceof PartitionRun.Done || run instanceof PartitionRun.Busy;
        return complete ? Step.COMPLETE : Step.POSTPONED;
    }
}
