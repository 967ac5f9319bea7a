package io.outboxed.internal.boot;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionRun;
import io.outboxed.internal.relay.MaintenanceTask;
import java.time.Duration;
import java.util.function.Supplier;

/** Maintains the partitions of the history. Used by one thread. */
final class PartitionTask implements MaintenanceTask {
    /** Another session has usually ended by then, and has left nothing to do. */
    private static final Duration AFTER_ANOTHER_SESSION = Duration.ofMinutes(1);

    private final Supplier<PartitionRun> maintenance;
    private final Duration interval;
    private int busyInARow;

    PartitionTask(PartitionMaintainer maintainer, Duration interval, Connections connections) {
        this(() -> connections.autoCommit(jdbc -> maintainer.run(jdbc.connection())), interval);
    }

    PartitionTask(Supplier<PartitionRun> maintenance, Duration interval) {
        this.maintenance = maintenance;
        this.interval = interval;
    }

    @Override
    public String name() {
        return "partitions";
    }

    @Override
    public Duration interval() {
        return busyInARow == 1 ? AFTER_ANOTHER_SESSION : interval;
    }

    @Override
    public Step step() {
        int busyBefore = busyInARow;
        busyInARow = 0;
        PartitionRun run = maintenance.get();
        if (run instanceof PartitionRun.Busy) {
            busyInARow = busyBefore + 1;
            if (busyInARow == 1) {
                return Step.SKIPPED;
            }
            if (busyInARow == 2) {
                OutboxLog.partitionsBusy();
            }
        }
        return run instanceof PartitionRun.Done ? Step.COMPLETE : Step.POSTPONED;
    }
}
