package io.outboxed.internal.boot;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.retention.RetiredHandlers;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.List;

/** Removes registrations of retired handlers for which nothing waits. */
final class RetiredHandlersTask implements MaintenanceTask {
    private final RetiredHandlers handlers;
    private final Connections connections;

    RetiredHandlersTask(RetiredHandlers handlers, Connections connections) {
        this.handlers = handlers;
        this.connections = connections;
    }

    @Override
    public String name() {
        return "retired-handlers";
    }

    @Override
    public Duration interval() {
        return Duration.ofHours(1);
    }

    @Override
    public Step step() {
        List<HandlerKey> unused = connections
                .autoCommit(jdbc -> handlers.dryRun(jdbc.connection()))
                .orElse(List.of());
        for (HandlerKey each : unused) {
            if (connections.autoCommit(jdbc -> handlers.remove(jdbc.connection(), each, (with, removed) -> {}))) {
                OutboxLog.retiredHandlerRemoved(each.type(), each.handler());
            }
        }
        return Step.COMPLETE;
    }
}
