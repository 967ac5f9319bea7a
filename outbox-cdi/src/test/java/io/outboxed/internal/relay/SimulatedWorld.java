package io.outboxed.internal.relay;

import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.MemoryLockSession;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** The world of one seed: what it consists of, and what its nodes encounter in it. */
final class SimulatedWorld implements SimulatedEnvironment {
    /** Prints all that happens. */
    private static final boolean TRACE = Boolean.getBoolean("simulation.trace");

    private final Random random;
    final SimulatedPlan plan;
    final Agenda agenda;
    private final MemoryStore store;
    private final History history;
    private final Attempts attempts;
    final Patience patience;
    private final HandlerMoods moods;
    private final SimulatedDeployment deployment;
    final SimulatedNodes nodes;
    private final CallFaults calls;
    private final AnswerChecks checks;
    private final Strikes strikes;
    final SimulatedWriters writers;
    final Disturbances disturbances;
    final SimulatedOperator operator;
    final SimulatedCancellations cancellations;
    final SimulatedPauses pauses;
    private final Map<UUID, Lane> lanes = new HashMap<>();
    /** Aggregates in which a call hangs. */
    final Set<String> hung = new HashSet<>();

    /** Messages that were running when their node died, and have neither been counted nor called alone since. */
    private final Set<UUID> suspects = new HashSet<>();

    private final BatchFaults batchFaults;
    private long downUntil;

    private record Lane(String aggregate, long key) {}

    @Override
    public MemoryStore store() {
        return store;
    }

    @Override
    public long now() {
        return agenda.now();
    }

    @Override
    public Random random() {
        return random;
    }

    @Override
    public boolean mayRepeatOutsideCalls() {
        return !plan.isUndisturbed();
    }

    @Override
    public History history() {
        return history;
    }

    /** @param theme what it is about; null: whatever the seed draws */
    SimulatedWorld(long seed, Theme theme) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.plan = new SimulatedPlan(random, theme);
        this.agenda = new Agenda(random);
        this.store = new MemoryStore(() -> agenda.now() / 1000, plan.shards);
        this.history = new History(store::isDead, SimulatedDeployment::group, plan.has(Feature.BLOCK));
        this.attempts = new Attempts(history, plan, new ProbeOrder(history, plan, agenda, this::aggregate));
        store.listen(attempts);
        this.patience = new Patience(history, attempts, agenda, plan.patience(), hung);
        this.moods = plan.moods(random);
        this.deployment = new SimulatedDeployment(
                plan.has(Feature.GROUPS),
                plan.has(Feature.CATCH_ALL),
                plan.has(Feature.BATCHES),
                plan.has(Feature.FIRST_OF_A_GROUP));
        this.nodes = new SimulatedNodes(this, plan, agenda, deployment, moods);
        this.calls = new CallFaults(plan, moods, random, hung);
        this.batchFaults = new BatchFaults(this, random);
        this.checks = new AnswerChecks(nodes, history);
        this.strikes = new Strikes(
                this,
                random,
                agenda,
                plan.has(Feature.SLOW_DATABASE),
                plan.has(Feature.ZOMBIES),
                plan.has(Feature.LOST_COUNTS));
        this.writers = new SimulatedWriters(this, plan, random, agenda);
        this.disturbances = new Disturbances(this, plan, random, agenda, strikes);
        this.operator = new SimulatedOperator(this, agenda, writers, attempts, patience);
        this.cancellations = new SimulatedCancellations(this, agenda, patience);
        this.pauses = new SimulatedPauses(this, agenda);
        store.handlers().register(SimulatedHandlers.registrations(deployment.older()));
        if (!plan.has(Feature.DEPLOYMENT) && !plan.has(Feature.UNKNOWN_TYPES)) {
            deployment.begin();
            store.handlers().register(SimulatedHandlers.registrations(deployment.current()));
        }
    }

    /** The deployment is complete and no fault is left. Calls that hang still hang for now. */
    void heal() {
        disturbances.end();
        pauses.end();
        calls.heal();
        batchFaults.end();
        downUntil = 0;
        moods.heal();
        deployment.begin();
        nodes.heal();
        attempts.nodesReplaced();
        hung.clear();
        nodes.forEach(node -> node.workers().hanging().forEach(id -> hung.add(aggregate(id))));
        patience.begin(agenda.now() + plan.takeover().toNanos());
    }

    private void trace(String what) {
        if (TRACE) {
            System.out.println(agenda.now() / 1000 + " " + what);
        }
    }

    // ---- what others do in this world ----

    SimulatedDeployment deployment() {
        return deployment;
    }

    void fault() {
        attempts.fault();
    }

    void outage() {
        downUntil = agenda.now() + random.nextLong(2 * plan.lease.toNanos());
    }

    void takeDown(String handler, long nanos) {
        moods.down(handler, true);
        agenda.add(new Later(agenda.now() + nanos, () -> moods.down(handler, false)));
    }

    void committed(MessageHead head, String aggregate, long dueAt) {
        trace("committed " + aggregate + " " + head);
        lanes.put(head.id(), new Lane(aggregate, head.lane()));
        patience.moved(aggregate, dueAt);
        List<SimulatedNode> signalled = nodes.running();
        if (random.nextInt(3) > 0) {
            signalled.get(random.nextInt(signalled.size())).signal(head.shard());
        }
    }

    void delayed(MessageHead head, Set<String> handlers, long dueAt) {
        handlers.forEach(handler -> attempts.delayed(head.id(), handler, dueAt / 1000));
        cancellations.consider(head.id(), dueAt);
    }

    String aggregate(UUID message) {
        return lanes.get(message).aggregate();
    }

    long lane(UUID message) {
        return lanes.get(message).key();
    }

    // ---- what its nodes encounter ----

    @Override
    public void before(SimulatedNode node, String call) {
        strikes.before(node, call);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void after(SimulatedNode node, String call, Object[] arguments, Object result) {
        if (TRACE && !call.equals("beat") && !call.equals("live") && !call.equals("all")) {
            trace("node " + nodes.indexOf(node) + " " + call + Arrays.toString(arguments) + " -> " + result);
        }
        switch (call) {
            case "declareDead" -> {
                if (result.equals(true)) {
                    checks.declaredDead(((NodeHeartbeat) arguments[0]).owner());
                }
            }
            case "handOver" -> checks.gaveUp(node, result.equals(true) ? List.of((Lease) arguments[0]) : List.of());
            case "release" -> checks.gaveUp(node, (Collection<Lease>) arguments[0]);
            case "open" -> checks.opened(node, (String) arguments[0]);
            case "abandon" -> checks.abandoned(node);
            case "unlock" -> checks.unlocked(node, (Collection<Long>) arguments[0]);
            case "start" ->
                started((Lease) arguments[0], (Collection<?>) arguments[1], (Collection<?>) arguments[2], (Collection<
                                ?>)
                        result);
            case "write" ->
                ((Map<?, ?>) arguments[0]).forEach((lease, writes) -> reverted((Lease) lease, (Collection<?>) writes));
            default -> {}
        }
        strikes.after(node, call);
        if (call.equals("start")) {
            suspects.removeIf(((Collection<?>) result)::contains);
        }
    }

    /** Counted in the database, whether the node gets the answer or not. */
    private void started(Lease lease, Collection<?> heads, Collection<?> running, Collection<?> started) {
        for (Object each : heads) {
            MessageHead head = (MessageHead) each;
            if (running.contains(head.id()) && started.contains(head.id())) {
                checks.started(head, lease);
            }
        }
    }

    private void reverted(Lease lease, Collection<?> writes) {
        for (Object each : writes) {
            if (each instanceof FencedWrite.RevertStart start) {
                checks.reverted(start.head(), lease);
            }
        }
    }

    @Override
    public void amidBatch(SimulatedNode node) {
        batchFaults.amidBatch(node);
    }

    @Override
    public void answered(Delivery delivery) {
        checks.answered(delivery.head());
    }

    @Override
    public void notReached(Delivery delivery) {
        attempts.notReached(delivery);
    }

    @Override
    public void diedRunning(List<Delivery> deliveries) {
        deliveries.forEach(delivery -> suspects.add(delivery.head().id()));
    }

    @Override
    public void goTogether(List<Delivery> deliveries) {
        for (Delivery delivery : deliveries) {
            if (suspects.contains(delivery.head().id())) {
                history.violation("a suspect in a batch: " + delivery.head());
            }
        }
    }

    @Override
    public boolean spoils(Delivery delivery) {
        return calls.spoils(delivery);
    }

    @Override
    public boolean losesCommit(Delivery delivery) {
        boolean lost = calls.losesCommit(delivery);
        if (lost) {
            trace("lost " + delivery.handler() + " of " + delivery.head().seq());
            fault();
        }
        return lost;
    }

    @Override
    public long untilAcknowledged() {
        return plan.has(Feature.ZOMBIES) ? random.nextLong(40_000_000) : 0;
    }

    @Override
    public Optional<MemoryLockSession> lockSession() {
        return plan.has(Feature.LANE_LOCKS)
                ? Optional.of(store.lockSession(plan.lease.toNanos() / 1000))
                : Optional.empty();
    }

    @Override
    public boolean hasClaimRows() {
        return plan.has(Feature.CLAIM_ROWS);
    }

    @Override
    public boolean noticesDeath() {
        return !plan.has(Feature.VANISHED_HOSTS);
    }

    @Override
    public void onceNoticed(Runnable rollback) {
        if (noticesDeath()) {
            rollback.run();
        } else {
            agenda.add(new Later(agenda.now() + random.nextLong(plan.lease.toNanos()), rollback));
        }
    }

    @Override
    public boolean databaseIsDown() {
        return agenda.now() < downUntil;
    }

    @Override
    public void ended(Delivery delivery, Outcome outcome) {
        boolean deferred = outcome instanceof Outcome.Failed failed
                && (plan.has(Feature.DOWN) || failed.failure() instanceof SimulatedHandlers.DeferredDeliveryException);
        trace("ended " + delivery.handler() + " of " + delivery.head().seq() + ": " + outcome);
        attempts.ended(delivery, outcome, deferred);
    }

    @Override
    public long begins(Delivery delivery, boolean holdsLease) {
        suspects.remove(delivery.head().id());
        boolean repeated = attempts.begins(delivery, holdsLease, agenda.now());
        String aggregate = aggregate(delivery.head().id());
        patience.moved(aggregate, agenda.now());
        if (plan.isUndisturbed()) {
            pauses.begins(delivery);
        }
        trace("begins " + delivery.handler() + " of " + aggregate + " "
                + delivery.head().seq());
        boolean takenOver = repeated && delivery.attempt() == 1;
        nodes.wakeFrozen(takenOver ? 2 : 200);
        return calls.begins(delivery, aggregate, takenOver);
    }
}
