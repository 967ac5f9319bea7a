package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.observe.OutboxMeters;
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
import java.util.TreeMap;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The real relay, without threads, on the in-memory store: nodes, workers, crashes, frozen nodes, lost answers and a rolling
 * deployment interleaved by a seed. A failing seed replays exactly: {@code -Dsimulation.seed=N}.
 */
class RelaySimulationTest {
    private static final long MILLI = 1_000_000;
    private static final int SEEDS = Integer.getInteger("simulation.seeds", 400);

    private static final Map<HandlerKey, HandlerMode> OLD =
            new TreeMap<>(java.util.Comparator.comparing(HandlerKey::type).thenComparing(HandlerKey::handler));
    private static final Map<HandlerKey, HandlerMode> NEW =
            new TreeMap<>(java.util.Comparator.comparing(HandlerKey::type).thenComparing(HandlerKey::handler));

    static {
        OLD.put(new HandlerKey("a", "ship"), HandlerMode.TRANSACTIONAL);
        OLD.put(new HandlerKey("b", "ship"), HandlerMode.TRANSACTIONAL);
        OLD.put(new HandlerKey("b", "mail"), HandlerMode.OUTSIDE);
        OLD.put(new HandlerKey("c", "mail"), HandlerMode.OUTSIDE);
        NEW.putAll(OLD);
        NEW.put(new HandlerKey("b", "bill"), HandlerMode.TRANSACTIONAL);
        NEW.put(new HandlerKey("d", "bill"), HandlerMode.TRANSACTIONAL);
    }

    /** Kept, or the level would be collected with it. */
    private static final Logger LOG = Logger.getLogger("io.outboxed");

    @BeforeAll
    static void the_log_of_thousands_of_wanted_failures_is_off() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void the_log_is_as_it_was() {
        LOG.setLevel(null);
    }

    @Test
    void the_promises_hold_under_every_seed() {
        long first = Long.getLong("simulation.seed", System.nanoTime() % 1_000_000);
        int seeds = Long.getLong("simulation.seed") == null ? SEEDS : 1;
        long calls = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            calls += new World(seed).run();
        }
        System.out.println("simulation: seeds " + first + " to " + (first + seeds - 1) + ", " + calls + " calls");
    }

    /** One seed's world. */
    private static final class World {
        private final long seed;
        private final Random random;
        private final OutboxConfig config;
        private final MemoryStore store;
        private final History history;
        private final List<SimulatedNode> nodes = new ArrayList<>();
        private final Map<Long, Long> numbers = new HashMap<>();
        private final Map<Long, Runnable> writers = new TreeMap<>();
        private final int aggregates;
        private final int failures;
        /** Per cent of all events, besides: in some worlds long rows of one type whose handler is outside a transaction. */
        private final int mails;

        private long now = 1_000 * MILLI;
        private long downUntil;
        private boolean inBetween;
        private boolean deployed;
        private long oldGeneration;

        private World(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.aggregates = 1 + random.nextInt(12);
            this.failures = random.nextBoolean() ? 0 : 100;
            this.mails = random.nextBoolean() ? 0 : 90;
            this.store = new MemoryStore(() -> now / 1000);
            this.history = new History(store::isDead);
            OutboxConfig defaults = OutboxConfig.DEFAULTS;
            this.config = new OutboxConfig(
                    defaults.database(),
                    withLease(defaults.relay(), Duration.ofSeconds(1)),
                    new OutboxConfig.Handler(
                            Duration.ofSeconds(30), random.nextBoolean() ? 10 : 0, Duration.ofSeconds(2)),
                    new OutboxConfig.Retry(4, Duration.ofMillis(200), 2, Duration.ofSeconds(2), true),
                    Map.of(),
                    defaults.payload(),
                    false,
                    false);
        }

        private long run() {
            oldGeneration = store.register(SimulatedHandlers.registrations(OLD));
            int count = 1 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
                nodes.add(node());
            }
            int messages = 50 + random.nextInt(250);
            boolean crashes = random.nextInt(3) > 0;
            for (int step = 0; history.size() < messages || step < 3_000; step++) {
                if (history.size() < messages && random.nextInt(10) == 0) {
                    publish();
                }
                commitSome();
                if (crashes) {
                    disturb();
                }
                step();
            }
            writers.values().forEach(Runnable::run);
            heal();
            for (int step = 0; step < 400_000 && !isDone(); step++) {
                step();
            }
            history.check("seed " + seed);
            assertThat(store.messages()).as("messages left in seed " + seed).isZero();
            return history.calls();
        }

        private static OutboxConfig.Relay withLease(OutboxConfig.Relay relay, Duration lease) {
            return new OutboxConfig.Relay(
                    true,
                    relay.workers(),
                    relay.batchSize(),
                    relay.inFlight(),
                    relay.pollMin(),
                    relay.pollMax(),
                    lease,
                    relay.drain(),
                    "simulated");
        }

        private boolean isDone() {
            return history.hasViolations()
                    || store.messages() == 0 && history.open().isEmpty();
        }

        private SimulatedNode node() {
            long generation = deployed ? store.register(SimulatedHandlers.registrations(NEW)) : oldGeneration;
            SimulatedHandlers handlers = new SimulatedHandlers(deployed ? NEW : OLD, failures, handler -> false);
            return new SimulatedNode(
                    store,
                    () -> now < downUntil,
                    this::others,
                    handlers,
                    history,
                    config,
                    random,
                    () -> now,
                    generation,
                    OutboxMeters.none());
        }

        private void step() {
            now += random.nextInt(20) * MILLI / 4;
            SimulatedNode node = nodes.get(random.nextInt(nodes.size()));
            if (now >= node.frozenUntil) {
                node.step();
            }
        }

        /** Between two statements of a node every node's other threads may take a step. */
        private void others() {
            if (!inBetween && random.nextInt(8) == 0) {
                inBetween = true;
                nodes.get(random.nextInt(nodes.size())).stepInBetween();
                inBetween = false;
            }
        }

        private void publish() {
            long aggregate = random.nextInt(aggregates);
            if (writers.containsKey(aggregate)) {
                return;
            }
            boolean mail = random.nextInt(100) < mails;
            String type = mail ? "c" : List.of("a", "b", "b", "c", "d").get(random.nextInt(deployed ? 5 : 4));
            boolean delayed = random.nextInt(30) == 0;
            UUID id = new UUID(random.nextLong(), random.nextLong());
            long number = numbers.merge(aggregate, 1L, Long::sum);
            long lane = delayed ? id.getMostSignificantBits() : aggregate * 7919 + 3;
            long registry = store.registry().version();
            long delay = delayed ? random.nextInt(3_000) * 1_000L : 0;
            Head head = store.insertUncommitted(id, type, lane, registry, delay, text(type));
            Set<String> handlers = required(type);
            writers.put(aggregate, () -> {
                history.published(id, handlers, delayed ? id.toString() : "aggregate " + aggregate, number, !delayed);
                store.commit(head);
                if (random.nextInt(3) > 0) {
                    nodes.get(random.nextInt(nodes.size())).signal(head.shard());
                }
            });
        }

        /** Writers of one aggregate wait for each other, as behind its lock; those of different ones commit in any order. */
        private void commitSome() {
            for (Long aggregate : List.copyOf(writers.keySet())) {
                if (random.nextInt(20) == 0) {
                    writers.remove(aggregate).run();
                }
            }
        }

        private Set<String> required(String type) {
            Set<String> handlers = new java.util.TreeSet<>();
            (deployed ? NEW : OLD).keySet().forEach(key -> {
                if (key.type().equals(type)) {
                    handlers.add(key.handler());
                }
            });
            return handlers;
        }

        private String text(String type) {
            List<String> handlers = List.copyOf(required(type));
            String victim = handlers.get(random.nextInt(handlers.size()));
            return switch (random.nextInt(40)) {
                case 0 -> SimulatedHandlers.POISON + victim;
                case 1 -> SimulatedHandlers.PERMANENT + victim;
                default -> "fine";
            };
        }

        private void disturb() {
            int what = random.nextInt(600);
            int which = random.nextInt(nodes.size());
            if (what == 0) {
                nodes.get(which).crash();
                nodes.set(which, node());
            } else if (what < 6 && nodes.get(which).isWorking()) {
                nodes.get(which).frozenUntil = now + (500 + random.nextInt(2_500)) * MILLI;
            } else if (what == 6 && !deployed) {
                deployed = true;
                nodes.add(node());
            } else if (what == 7) {
                downUntil = now + random.nextInt(2_500) * MILLI;
            } else if (what == 8) {
                now += random.nextInt(1_500) * MILLI;
            }
        }

        /** The rolling deployment ends: only nodes of the newest version are left, and nothing fails any more. */
        private void heal() {
            deployed = true;
            downUntil = 0;
            nodes.forEach(SimulatedNode::crash);
            nodes.clear();
            nodes.add(node());
            nodes.add(node());
        }
    }
}
