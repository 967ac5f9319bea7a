package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Simulated nodes over one store, run until a condition holds: for tests of single rules. */
public final class Cluster implements SimulatedEnvironment {
    /** Of the type "placed": "ship" is transactional, "mail" works outside. */
    public static final Map<HandlerKey, HandlerMode> SHIP_AND_MAIL = Map.of(
            new HandlerKey("placed", "ship"), HandlerMode.TRANSACTIONAL,
            new HandlerKey("placed", "mail"), HandlerMode.OUTSIDE);

    /** Steps. Fewer are enough to show that a test fails without what it guards. */
    public static final int PATIENCE = 3_000_000;

    public final MemoryStore store = new MemoryStore(this::micros);
    final History history = new History(store::isDead);
    final List<SimulatedNode> nodes = new ArrayList<>();
    public final RecordingBackend figures = new RecordingBackend();
    public final OutboxMeters meters = new OutboxMeters(figures, "cluster", true);
    int halts;
    public boolean mailIsDown;
    private final Map<HandlerKey, HandlerMode> handlers;
    private final OutboxConfig config;
    private final Random random;
    private final Map<String, Long> numbers = new HashMap<>();
    private final Agenda agenda;

    private Cluster(Map<HandlerKey, HandlerMode> handlers, boolean block, int attempts, long seed) {
        this.handlers = handlers;
        this.random = new Random(seed);
        this.agenda = new Agenda(random);
        this.config = OutboxConfig.DEFAULTS
                .withRelay(OutboxConfig.Relay.DEFAULTS.withLease(Duration.ofSeconds(1)))
                .withHandler(new OutboxConfig.Handler(Duration.ofSeconds(30), 10, Duration.ofSeconds(2), 128))
                .withRetry(new OutboxConfig.Retry(attempts, Duration.ofMillis(200), 2, Duration.ofSeconds(2), true))
                .withDeadLetters(new OutboxConfig.DeadLetters(block, Map.of()));
    }

    /** One node with {@link #SHIP_AND_MAIL}, and a seed that is printed: {@code -Dcluster.seed=N} gives it back. */
    public static Cluster ofShipAndMail(boolean block, int attempts) {
        Cluster cluster = withoutNodes(block, attempts);
        cluster.startNode();
        return cluster;
    }

    /** Its nodes will have {@link #SHIP_AND_MAIL}, and a seed that is printed. */
    static Cluster withoutNodes(boolean block, int attempts) {
        long seed = Long.getLong("cluster.seed", System.nanoTime());
        System.out.println("seed " + seed);
        return new Cluster(SHIP_AND_MAIL, block, attempts, seed);
    }

    public void startNode() {
        startNode(handlers);
    }

    public void startNode(Map<HandlerKey, HandlerMode> itsHandlers) {
        long registryVersion = store.handlers()
                .register(SimulatedHandlers.registrations(itsHandlers))
                .deployment();
        SimulatedHandlers simulated =
                new SimulatedHandlers(itsHandlers, 0, handler -> mailIsDown && handler.equals("mail"));
        SimulatedNode node = new SimulatedNode(this, simulated, config, registryVersion, meters);
        nodes.add(node);
        agenda.add(node);
    }

    /** How many shards each node has. */
    Collection<Long> shares() {
        return store.shards().all().stream()
                .map(shard -> shard.owner())
                .filter(Objects::nonNull)
                .collect(Collectors.groupingBy(owner -> owner, Collectors.counting()))
                .values();
    }

    public UUID publish(String type, String aggregate, String text) {
        Set<String> required = new TreeSet<>();
        required.addAll(store.handlers().snapshot().of(type).keySet());
        UUID id = new UUID(random.nextLong(), random.nextLong());
        history.published(id, required, aggregate, numbers.merge(aggregate, 1L, Long::sum), true);
        long lane = lane(aggregate);
        MessageHead head =
                store.insert(id, type, lane, store.handlers().snapshot().version(), 0, text);
        nodes.forEach(node -> node.signal(head.shard()));
        return id;
    }

    private static long lane(String aggregate) {
        return aggregate.hashCode() * 7919L;
    }

    static int shard(String aggregate) {
        return (int) (lane(aggregate) & 63);
    }

    /** @throws AssertionError if the condition does not hold within this many steps */
    public void runUntil(BooleanSupplier condition, int steps) {
        for (int i = 0; i < steps; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            step();
        }
        throw new AssertionError("not within " + steps + " steps; open: "
                + history.open().stream().limit(5).toList());
    }

    public void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
    }

    private void step() {
        try {
            agenda.step(agenda.now() + 1_000_000_000L);
        } catch (SimulatedHandlers.Halted e) {
            halts++;
            SimulatedNode halted = agenda.current(SimulatedNode.class);
            halted.crash();
            agenda.remove(halted);
            nodes.remove(halted);
            startNode();
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

    private long micros() {
        return agenda.now() / 1000;
    }
}
