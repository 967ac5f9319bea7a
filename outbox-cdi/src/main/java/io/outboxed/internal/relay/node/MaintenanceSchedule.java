package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.relay.OutageLog;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Runs the maintenance tasks on the node that holds shard 0. As long as a task has more to do, it takes its share of the
 * time. Runs on the sampler's thread.
 */
final class MaintenanceSchedule {
    /** How soon a node notices that it holds the shard. */
    private static final long BETWEEN_LEASE_CHECKS = Duration.ofMillis(500).toNanos();

    private static final double SECOND = 1e9;

    private final BooleanSupplier isOurs;
    private final OutboxMeters meters;
    private final LongSupplier nanoClock;
    private final List<Scheduled> tasks;
    private boolean runsHere;
    private boolean ended;

    /** @param isOurs whether this node holds the shard, and its lease */
    MaintenanceSchedule(
            List<MaintenanceTask> tasks, BooleanSupplier isOurs, OutboxMeters meters, LongSupplier nanoClock) {
        this.isOurs = isOurs;
        this.meters = meters;
        this.nanoClock = nanoClock;
        this.tasks = tasks.stream().map(Scheduled::new).toList();
    }

    /** @return nanoseconds until the next round */
    long round() {
        if (!isOurs.getAsBoolean()) {
            meters.hideMaintenance();
            runsHere = false;
            return BETWEEN_LEASE_CHECKS;
        }
        if (!runsHere) {
            // a task that never completes has an age too
            runsHere = true;
            tasks.forEach(Scheduled::countAgeFromNow);
        }
        tasks.forEach(Scheduled::show);
        return tasks.stream().mapToLong(Scheduled::round).min().orElse(BETWEEN_LEASE_CHECKS);
    }

    /** Another node runs the tasks now. Called by another thread, also during a step. */
    synchronized void hideIfElsewhere() {
        if (!isOurs.getAsBoolean()) {
            meters.hideMaintenance();
        }
    }

    /** The node is stopping. Called by another thread, also during a step. */
    synchronized void end() {
        ended = true;
        meters.hideMaintenance();
    }

    private synchronized void show(String task, Scheduled scheduled) {
        if (!ended && isOurs.getAsBoolean()) {
            meters.showMaintenance(task, scheduled::age);
        }
    }

    private final class Scheduled {
        private final MaintenanceTask task;
        private final OutageLog outage;
        private long dueAt;
        private volatile long ageBegan;

        private Scheduled(MaintenanceTask task) {
            this.task = task;
            this.outage = new OutageLog(
                    cause -> OutboxLog.maintenanceFailed(task.name(), cause),
                    failures -> OutboxLog.maintenanceRecovered(task.name(), failures));
            this.dueAt = nanoClock.getAsLong();
            meters.maintenanceFailed(task.name(), 0);
        }

        private long round() {
            long startedAt = nanoClock.getAsLong();
            if (startedAt - dueAt >= 0) {
                boolean more = step() == MaintenanceTask.Step.MORE;
                long endedAt = nanoClock.getAsLong();
                dueAt = endedAt
                        + (more
                                ? (task.share() - 1) * (endedAt - startedAt)
                                : task.interval().toNanos());
            }
            return Math.max(0, dueAt - nanoClock.getAsLong());
        }

        private MaintenanceTask.Step step() {
            try {
                MaintenanceTask.Step step = task.step();
                if (step == MaintenanceTask.Step.COMPLETE) {
                    outage.worked();
                    countAgeFromNow();
                } else if (step == MaintenanceTask.Step.POSTPONED) {
                    meters.maintenanceFailed(task.name(), 1);
                }
                return step;
            } catch (RuntimeException e) {
                outage.failed(e);
                meters.maintenanceFailed(task.name(), 1);
                return MaintenanceTask.Step.POSTPONED;
            }
        }

        private void countAgeFromNow() {
            ageBegan = nanoClock.getAsLong();
            show();
        }

        private void show() {
            MaintenanceSchedule.this.show(task.name(), this);
        }

        private double age() {
            return (nanoClock.getAsLong() - ageBegan) / SECOND;
        }
    }
}
