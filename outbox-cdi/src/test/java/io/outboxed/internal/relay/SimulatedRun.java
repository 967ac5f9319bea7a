package io.outboxed.internal.relay;

import io.outboxed.internal.store.MemoryStore;
import java.time.Duration;
import java.util.List;

/**
 * The course of a simulated world: faults while writers write, then recovery, then the delivery of everything that is
 * left.
 */
final class SimulatedRun {
    private static final Duration FOR_EVER = Duration.ofMinutes(30);

    private final SimulatedWorld world;
    private final SimulatedPlan plan;
    private final Agenda agenda;
    private final MemoryStore store;
    private final History history;

    SimulatedRun(SimulatedWorld world) {
        this.world = world;
        this.plan = world.plan;
        this.agenda = world.agenda;
        this.store = world.store();
        this.history = world.history();
    }

    /** @return what was violated */
    List<String> run() {
        for (int i = 0; i < plan.nodes; i++) {
            world.nodes.add();
        }
        agenda.add(world.writers);
        agenda.add(world.disturbances);
        agenda.add(world.patience);
        if (plan.has(Feature.DELAYED)) {
            agenda.add(world.cancellations);
        }
        if (plan.has(Feature.REPLAYS)) {
            agenda.add(world.operator);
        }
        if (plan.has(Feature.PAUSES)) {
            world.pauses.begin();
            agenda.add(world.pauses);
        }
        if (plan.isUndisturbed()
                && !plan.has(Feature.DOWN)
                && !plan.has(Feature.BLOCK)
                && !plan.has(Feature.PAUSES)
                && !plan.has(Feature.UNKNOWN_TYPES)) {
            world.patience.begin(agenda.now());
        }
        if (plan.has(Feature.RETRY_BACKLOG)) {
            world.takeDown("mail", SimulatedPlan.RECEIVER_DOWN.toNanos());
        }
        long until = agenda.now() + plan.disturbed.toNanos();
        while (!history.hasViolations() && (agenda.now() < until || !world.writers.areDone())) {
            agenda.step(Math.max(until, agenda.now() + 1));
        }
        world.heal();
        drain();
        world.hung.clear();
        world.nodes.forEach(node -> node.workers().release());
        world.patience.begin(agenda.now());
        drain();
        if (!history.hasViolations()) {
            history.endings().forEach(history::violation);
            if (store.messages() > 0) {
                history.violation("left over: " + store.messages() + " rows");
            }
            // every writer of a simulated world is serialised
            if (world.nodes.reportedOutOfOrder() > 0) {
                history.violation("false alarm: serialised writers were reported as out of order");
            }
        }
        return history.violations();
    }

    private void drain() {
        long end = agenda.now() + FOR_EVER.toNanos();
        while (!history.hasViolations() && (world.patience.anyLeft() || world.hung.isEmpty() && store.messages() > 0)) {
            agenda.step(end);
            if (plan.has(Feature.BLOCK)) {
                world.operator.replayAll();
            }
            if (agenda.now() >= end) {
                history.violation("never ends: " + history.next() + ", " + store.messages() + " rows");
            }
        }
    }
}
