package io.outboxed.internal.relay;

import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.store.HandlerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** The nodes of a simulated world: which there are, how they come and go, and for how long they stand still. */
final class SimulatedNodes {
    private final SimulatedEnvironment world;
    private final SimulatedPlan plan;
    private final Agenda agenda;
    private final SimulatedDeployment deployment;
    private final HandlerMoods moods;
    private final Random random;
    private final RecordingBackend metrics = new RecordingBackend();
    private final OutboxMeters meters = new OutboxMeters(metrics, "world", true);
    private final List<SimulatedNode> nodes = new ArrayList<>();

    SimulatedNodes(
            SimulatedEnvironment world,
            SimulatedPlan plan,
            Agenda agenda,
            SimulatedDeployment deployment,
            HandlerMoods moods) {
        this.world = world;
        this.plan = plan;
        this.agenda = agenda;
        this.deployment = deployment;
        this.moods = moods;
        this.random = world.random();
    }

    /** At least one. */
    List<SimulatedNode> running() {
        nodes.removeIf(SimulatedNode::isGone);
        if (nodes.isEmpty()) {
            add();
        }
        return nodes;
    }

    void forEach(Consumer<SimulatedNode> what) {
        nodes.forEach(what);
    }

    int indexOf(SimulatedNode node) {
        return nodes.indexOf(node);
    }

    boolean isHealthy(String owner) {
        return nodes.stream().anyMatch(node -> node.isHealthy(owner));
    }

    void add() {
        boolean old = plan.has(Feature.OLD_VERSION) && deployment.hasBegun() && random.nextInt(3) == 0;
        add(old || !deployment.hasBegun());
    }

    private void add(boolean old) {
        Map<HandlerKey, HandlerMode> version = old ? deployment.older() : deployment.current();
        long registryVersion = world.store()
                .handlers()
                .register(SimulatedHandlers.registrations(version))
                .deployment();
        SimulatedHandlers handlers = new SimulatedHandlers(version, moods);
        handlers.forwarders.addAll(plan.forwarders());
        SimulatedNode node = new SimulatedNode(world, handlers, plan.config, registryVersion, meters);
        node.outdated = old;
        nodes.add(node);
        agenda.add(node);
    }

    void crash(SimulatedNode node) {
        nodes.remove(node);
        agenda.remove(node);
        node.crash();
    }

    /** The first node of the newer version. */
    void deploy() {
        if (!deployment.hasBegun()) {
            deployment.begin();
            add(false);
        }
    }

    void freeze(SimulatedNode node) {
        node.frozenUntil = Math.max(node.frozenUntil, agenda.now() + pause());
    }

    boolean isAnyFrozen() {
        return nodes.stream().anyMatch(each -> each.frozenUntil > agenda.now());
    }

    /** Until others have taken over. */
    void freezePastItsLease(SimulatedNode node) {
        node.frozenUntil = agenda.now() + 4 * plan.lease.toNanos();
    }

    /** At the worst moment: just when others have taken over what it had begun. */
    void wakeFrozen(int oneIn) {
        for (SimulatedNode node : nodes) {
            if (node.frozenUntil > agenda.now() && random.nextInt(oneIn) == 0) {
                node.frozenUntil = agenda.now() + random.nextInt(3_000_000);
            }
        }
    }

    /** No node is frozen any more, and those of the older version are replaced, except where the older version stays. */
    void heal() {
        for (SimulatedNode node : List.copyOf(nodes)) {
            node.frozenUntil = Math.min(node.frozenUntil, agenda.now());
            if (plan.has(Feature.REPLACED_AT_THE_END) || node.outdated && !plan.has(Feature.OLD_VERSION)) {
                crash(node);
            }
        }
        if (nodes.stream().allMatch(node -> node.isStopping() || node.outdated)) {
            add(false);
        }
        if (plan.has(Feature.OLD_VERSION)) {
            add(true);
        }
    }

    /** How many messages any node has reported as stored out of order. */
    long reportedOutOfOrder() {
        return metrics.count("outbox.messages.out.of.order{}");
    }

    /** As long as a fault of a node lasts: from a moment to longer than its lease. */
    long pause() {
        return random.nextLong(3 * plan.lease.toNanos());
    }

    /** Just too short for others to declare the node dead. */
    long almostALease() {
        return plan.lease.toNanos() / 100 * (75 + random.nextInt(25));
    }
}
