package io.outboxed.internal.boot;

import io.outboxed.internal.operations.BulkRunner;
import io.outboxed.internal.relay.MaintenanceTask;
import java.time.Duration;

/** Works on the bulk operations that operators have started. */
final class BulkTask implements MaintenanceTask {
    private final BulkRunner runner;

    BulkTask(BulkRunner runner) {
        this.runner = runner;
    }

    @Override
    public String name() {
        return "bulk-operations";
    }

    /** Rates of operations are per second. */
    @Override
    public Duration interval() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Step step() {
        runner.work();
        return Step.COMPLETE;
    }
}
