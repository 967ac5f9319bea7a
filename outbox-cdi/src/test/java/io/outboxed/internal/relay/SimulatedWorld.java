package io.outboxed.internal.relay;

import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeBeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** The world of one seed: what happens in it, and what it has in common for all who live there. */
final class SimulatedWorld implements Surroundings {
    private static final Duration FOR_EVER = Duration.ofMinutes(30);
    private static final Duration SLOW_CALL = Duration.ofMillis(400);

    /** Says all that happens. */
    private static final boolean TRACE = Boolean.getBoolean("simulation.trace");

    private final Random random;
    private final SimulatedPlan plan;
    private final Agenda agenda;
    private final MemoryStore store;
    private final History history;
    private final Tries tries;
    private final Patience patience;
    private final HandlerMoods moods;
    private final SimulatedDeployment deployment;
    private final Strikes strikes;
    private final SimulatedWriters writers;
    private final Disturbances disturbances;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<UUID, Lane> lanes = new HashMap<>();
    private final Set<String> hung = new HashSet<>();
    private final Map<UUID, Set<Lease>> counted = new HashMap<>();
    /** What a successor repeats and can't finish: the zombie's word may stand against its own. */
    private final Set<Delivery> spoiled = new HashSet<>();

    private long downUntil;
    private boolean healed;

    private record Lane(String aggregate, long key) {}

    /** Something that happens once. */
    private static final class Later implements Actor {
        private final Runnable what;
        private long at;

        private Later(long at, Runnable what) {
            this.at = at;
            this.what = what;
        }

        @Override
        public long dueAt() {
            return at;
        }

        @Override
        public void step() {
            at = NEVER;
            what.run();
        }
    }

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
    public History history() {
        return history;
    }

    /** @param theme what it is about; null: whatever the seed says */
    SimulatedWorld(long seed, Theme theme) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.plan = new SimulatedPlan(random, theme);
        this.agenda = new Agenda(random);
        this.store = new MemoryStore(() -> agenda.now() / 1000, plan.shards);
        this.history = new History(store::isDead, SimulatedDeployment::group, plan.has(Feature.BLOCK));
        this.tries = new Tries(history, plan.config, plan.isUndisturbed());
        store.listen(tries);
        this.patience = new Patience(history, tries, agenda, plan.patience(), hung);
        this.moods = plan.moods(random);
        this.deployment = new SimulatedDeployment(plan.has(Feature.GROUPS));
        this.strikes = new Strikes(this, random, agenda, plan.has(Feature.SLOW_DATABASE), plan.has(Feature.ZOMBIES));
        this.writers = new SimulatedWriters(this, plan, random, agenda);
        this.disturbances = new Disturbances(this, plan, random, agenda, strikes);
        if (!plan.has(Feature.DEPLOYMENT) && !plan.has(Feature.UNKNOWN_TYPES)) {
            deployment.begin();
        }
    }

    SimulatedPlan plan() {
        return plan;
    }

    /** @return what was violated */
    List<String> run() {
        for (int i = 0; i < plan.nodes; i++) {
            addNode();
        }
        agenda.add(writers);
        agenda.add(disturbances);
        agenda.add(patience);
        if (plan.has(Feature.REPLAYS)) {
            agenda.add(new SimulatedOperator(this, random, agenda));
        }
        if (plan.isUndisturbed()
                && !plan.has(Feature.DOWN)
                && !plan.has(Feature.BLOCK)
                && !plan.has(Feature.UNKNOWN_TYPES)) {
            patience.begin(agenda.now());
        }
        if (plan.has(Feature.RETRY_BACKLOG)) {
            takeDown("mail", SimulatedPlan.RECEIVER_DOWN.toNanos());
        }
        long until = agenda.now() + plan.disturbed.toNanos();
        while (!history.hasViolations() && (agenda.now() < until || !writers.areDone())) {
            agenda.step(Math.max(until, agenda.now() + 1));
        }
        heal();
        drain();
        hung.clear();
        nodes.forEach(node -> node.workers().release());
        patience.begin(agenda.now());
        drain();
        if (!history.hasViolations()) {
            history.endings().forEach(history::violation);
            if (store.messages() > 0) {
                history.violation("left over: " + store.messages() + " rows");
            }
        }
        return history.violations();
    }

    private void drain() {
        long end = agenda.now() + FOR_EVER.toNanos();
        while (!history.hasViolations() && (patience.anyLeft() || hung.isEmpty() && store.messages() > 0)) {
            agenda.step(end);
            if (plan.has(Feature.BLOCK)) {
                store.dead().forEach(this::replay);
            }
            if (agenda.now() >= end) {
                history.violation("never ends: " + history.next() + ", " + store.messages() + " rows");
            }
        }
    }

    /** The deployment ends, all that had gone wrong is over. What hangs goes on hanging for now. */
    private void heal() {
        disturbances.end();
        healed = true;
        downUntil = 0;
        moods.heal();
        deployment.begin();
        for (SimulatedNode node : List.copyOf(nodes)) {
            node.frozenUntil = Math.min(node.frozenUntil, agenda.now());
            if (node.outdated || plan.has(Feature.REPLACED_AT_THE_END)) {
                remove(node);
                node.crash();
            }
        }
        if (nodes.stream().allMatch(SimulatedNode::isStopping)) {
            addNode();
        }
        hung.clear();
        nodes.forEach(node ->
                node.workers().hanging().forEach(id -> hung.add(lanes.get(id).aggregate())));
        patience.begin(agenda.now() + plan.takeover().toNanos());
    }

    private void trace(String what) {
        if (TRACE) {
            System.out.println(agenda.now() / 1000 + " " + what);
        }
    }

    // ---- what others do in it ----

    List<SimulatedNode> nodes() {
        nodes.removeIf(SimulatedNode::isGone);
        if (nodes.isEmpty()) {
            addNode();
        }
        return nodes;
    }

    void addNode() {
        long registryVersion = store.handlers().register(SimulatedHandlers.registrations(deployment.current()));
        SimulatedHandlers handlers = new SimulatedHandlers(deployment.current(), moods);
        SimulatedNode node = new SimulatedNode(this, handlers, plan.config, registryVersion, OutboxMeters.none());
        node.outdated = !deployment.hasBegun();
        nodes.add(node);
        agenda.add(node);
    }

    void remove(SimulatedNode node) {
        nodes.remove(node);
        agenda.remove(node);
    }

    void deploy() {
        if (!deployment.hasBegun()) {
            deployment.begin();
            addNode();
        }
    }

    void fault() {
        tries.fault();
    }

    void outage() {
        downUntil = agenda.now() + random.nextLong(2 * plan.lease.toNanos());
    }

    void takeDown(String handler, long nanos) {
        moods.down(handler, true);
        agenda.add(new Later(agenda.now() + nanos, () -> moods.down(handler, false)));
    }

    void freeze(SimulatedNode node) {
        node.frozenUntil = Math.max(node.frozenUntil, agenda.now() + pause());
    }

    /** Unless another one is: somebody has to take over. */
    void makeZombie(SimulatedNode node) {
        if (nodes.stream().noneMatch(each -> each.frozenUntil > agenda.now())) {
            fault();
            node.frozenUntil = agenda.now() + 4 * plan.lease.toNanos();
        }
    }

    /** The worst moment: just when others have taken over what it had begun. */
    private void wakeSomebody(int oneOf) {
        for (SimulatedNode node : nodes) {
            if (node.frozenUntil > agenda.now() && random.nextInt(oneOf) == 0) {
                node.frozenUntil = agenda.now() + random.nextInt(3_000_000);
            }
        }
    }

    /** As long as a fault of a node lasts: from a moment to beyond its lease. */
    long pause() {
        return random.nextLong(3 * plan.lease.toNanos());
    }

    /** So long that others just do not take the node for dead. */
    long almostALease() {
        return plan.lease.toNanos() / 100 * (75 + random.nextInt(25));
    }

    SimulatedDeployment deployment() {
        return deployment;
    }

    /** What a new event does to one of its handlers. */
    String text(String type) {
        List<String> handlers = List.copyOf(deployment.required(type));
        String victim = handlers.get(random.nextInt(handlers.size()));
        return switch (random.nextInt(30)) {
            case 0, 1 -> plan.has(Feature.POISON) ? SimulatedHandlers.POISON + victim : "";
            case 2 -> plan.has(Feature.POISON) ? SimulatedHandlers.PERMANENT + victim : "";
            case 3 -> plan.has(Feature.DEFERRED) ? SimulatedHandlers.DEFERRED + victim : "";
            case 4 -> plan.has(Feature.REFUSED_COMMITS) ? SimulatedHandlers.REFUSED + victim : "";
            default -> "";
        };
    }

    void committed(MessageHead head, String aggregate, long dueAt) {
        trace("committed " + aggregate + " " + head);
        lanes.put(head.id(), new Lane(aggregate, head.lane()));
        patience.moved(aggregate, dueAt);
        List<SimulatedNode> signalled = nodes();
        if (random.nextInt(3) > 0) {
            signalled.get(random.nextInt(signalled.size())).signal(head.shard());
        }
    }

    /** Not beside an open transaction of its aggregate: which of them came first would be nobody's promise. */
    void replay(MemoryStore.DeadLetterId dead) {
        Lane lane = lanes.get(dead.message());
        long aggregate = (lane.key() - 3) / 7919;
        int rows = store.messages();
        if (writers.isWriting(aggregate) || !store.replay(dead.message(), dead.handler())) {
            return;
        }
        tries.replayed(dead.message(), dead.handler());
        patience.moved(lane.aggregate(), agenda.now());
        // a blocked one goes on in its place, unless a zombie has recorded its success since
        if (store.messages() > rows) {
            history.replayed(dead.message(), dead.handler(), writers.number(aggregate));
        }
    }

    // ---- what nodes meet ----

    @Override
    public void before(SimulatedNode node, String call) {
        strikes.before(node, call);
    }

    @Override
    public void after(SimulatedNode node, String call, Object[] arguments, Object result) {
        if (TRACE && !call.equals("beat") && !call.equals("live") && !call.equals("all")) {
            trace("node " + nodes.indexOf(node) + " " + call + Arrays.toString(arguments) + " -> " + result);
        }
        if (call.equals("declareDead") && result.equals(true)) {
            requireReallyDead(((NodeBeat) arguments[0]).owner());
        }
        strikes.after(node, call);
        if (call.equals("start")) {
            ((Collection<?>) result).forEach(id -> requireNotCounted((UUID) id, (Lease) arguments[0]));
        }
    }

    /** A start that the node itself has counted, and knows of, would look like the death of a node. */
    private void requireNotCounted(UUID id, Lease lease) {
        if (!counted.computeIfAbsent(id, key -> new HashSet<>()).add(lease)) {
            history.violation("counted twice: " + id + " under " + lease);
        }
    }

    private void requireReallyDead(String owner) {
        if (nodes.stream().anyMatch(node -> node.isHealthy(owner))) {
            history.violation("declared dead: node " + owner + ", which is well and believes in its lease");
        }
    }

    @Override
    public boolean spoils(Delivery delivery) {
        return spoiled.remove(delivery);
    }

    @Override
    public long untilSettling() {
        return plan.has(Feature.ZOMBIES) ? random.nextLong(40_000_000) : 0;
    }

    @Override
    public boolean databaseIsDown() {
        return agenda.now() < downUntil;
    }

    @Override
    public void ended(Delivery delivery, Outcome outcome) {
        boolean deferred = outcome instanceof Outcome.Failed failed
                && (plan.has(Feature.DOWN) || failed.failure() instanceof SimulatedHandlers.NotNowException);
        trace("ended " + delivery.handler() + " of " + delivery.head().seq() + ": " + outcome);
        tries.ended(delivery, outcome, deferred);
    }

    @Override
    public long begins(Delivery delivery, boolean holdsLease) {
        boolean repeated = tries.begins(delivery, holdsLease, agenda.now());
        String aggregate = lanes.get(delivery.head().id()).aggregate();
        patience.moved(aggregate, agenda.now());
        trace("begins " + delivery.handler() + " of " + aggregate + " "
                + delivery.head().seq());
        boolean isTakenOver = repeated && delivery.attempt() == 1;
        wakeSomebody(isTakenOver ? 2 : 200);
        if (isTakenOver && !healed && plan.has(Feature.ZOMBIES) && random.nextBoolean()) {
            spoiled.add(delivery);
        }
        if (plan.has(Feature.RETRY_BACKLOG) && delivery.handler().equals("mail") && !moods.isDown("mail")) {
            return SLOW_CALL.toNanos();
        }
        if (healed) {
            return random.nextInt(6) * 1_000_000L;
        }
        if (plan.has(Feature.HUNG_CALLS)
                && random.nextInt(25) == 0
                && hung.size() < plan.config.relay().workers()) {
            hung.add(aggregate);
            return Actor.NEVER;
        }
        boolean isLong = plan.has(Feature.LONG_CALLS) && random.nextInt(12) == 0;
        return isLong ? random.nextLong(2_500_000_000L) : random.nextInt(6) * 1_000_000L;
    }
}
