package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.observe.OutboxMeters;
import io.outboxed.internal.observe.RecordingBackend;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Simulated nodes over one store, driven until something holds: for tests of single rules. */
final class Cluster implements Surroundings {
    final MemoryStore store = new MemoryStore(this::micros);
    final History history = new History(store::isDead);
    final List<SimulatedNode> nodes = new ArrayList<>();
    final RecordingBackend figures = new RecordingBackend();
    final OutboxMeters meters = new OutboxMeters(figures, "cluster");
    int halts;
    boolean mailIsDown;
    private final Map<HandlerKey, HandlerMode> handlers;
    private final OutboxConfig config;
    private final Random random;
    private final Map<String, Long> numbers = new HashMap<>();
    private final Agenda agenda;

    Cluster(Map<HandlerKey, HandlerMode> handlers, boolean block, int attempts, long seed) {
        this.handlers = handlers;
        this.random = new Random(seed);
        this.agenda = new Agenda(random);
        OutboxConfig defaults = OutboxConfig.DEFAULTS;
        OutboxConfig.Relay relay = defaults.relay();
        this.config = new OutboxConfig(
                defaults.database(),
                new OutboxConfig.Relay(
                        true,
                        relay.workers(),
                        relay.batchSize(),
                        relay.inFlight(),
                        relay.pollMin(),
                        relay.pollMax(),
                        relay.commitLag(),
                        Duration.ofSeconds(1),
                        relay.drain(),
                        "simulated"),
                new OutboxConfig.Handler(Duration.ofSeconds(30), 10, Duration.ofSeconds(2)),
                new OutboxConfig.Retry(attempts, Duration.ofMillis(200), 2, Duration.ofSeconds(2), true),
                Map.of(),
                defaults.payload(),
                block,
                false);
    }

    void startNode() {
        startNode(handlers);
    }

    void startNode(Map<HandlerKey, HandlerMode> itsHandlers) {
        long generation = store.register(SimulatedHandlers.registrations(itsHandlers));
        SimulatedHandlers simulated =
                new SimulatedHandlers(itsHandlers, 0, handler -> mailIsDown && handler.equals("mail"));
        SimulatedNode node = new SimulatedNode(this, simulated, config, generation, meters);
        nodes.add(node);
        agenda.add(node);
    }

    UUID publish(String type, String aggregate, String text) {
        Set<String> required = new TreeSet<>();
        required.addAll(store.registry().of(type).keySet());
        UUID id = new UUID(random.nextLong(), random.nextLong());
        history.published(id, required, aggregate, numbers.merge(aggregate, 1L, Long::sum), true);
        long lane = lane(aggregate);
        Head head = store.insert(id, type, lane, store.registry().version(), 0, text);
        nodes.forEach(node -> node.signal(head.shard()));
        return id;
    }

    private static long lane(String aggregate) {
        return aggregate.hashCode() * 7919L;
    }

    static int shard(String aggregate) {
        return (int) (lane(aggregate) & 63);
    }

    /** @throws AssertionError if it does not come to hold within so many steps */
    void runUntil(BooleanSupplier condition, int steps) {
        for (int i = 0; i < steps; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            step();
        }
        throw new AssertionError("not within " + steps + " steps; open: "
                + history.open().stream().limit(5).toList());
    }

    void run(int steps) {
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
