package io.outboxed.internal.relay;

import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Business transactions. Each takes its numbers when it inserts, and commits them all at once, later. Those of one
 * aggregate wait for each other, as behind its lock; those of different ones commit in any order.
 */
final class SimulatedWriters implements Actor {
    private static final int MORE_THAN_A_LANE_HOLDS = 9;
    private final SimulatedWorld world;
    private final SimulatedPlan plan;
    private final Random random;
    private final MemoryStore store;
    private final Agenda agenda;
    private final Map<Long, Long> numbers = new HashMap<>();
    private final Set<Long> locked = new HashSet<>();
    private final List<Transaction> open = new ArrayList<>();
    private final long pace;
    /** What is written until then waits for a receiver that is down. */
    private final long backlogUntil;

    private int left;
    private long nextAt;

    SimulatedWriters(SimulatedWorld world, SimulatedPlan plan, Random random, Agenda agenda) {
        this.world = world;
        this.plan = plan;
        this.random = random;
        this.store = world.store();
        this.agenda = agenda;
        this.left = plan.messages;
        this.nextAt = agenda.now();
        this.backlogUntil = agenda.now() + SimulatedPlan.RECEIVER_DOWN.toNanos() * 3 / 4;
        this.pace = plan.writing.toNanos() / plan.messages;
    }

    private record Event(
            MessageHead head, Set<String> handlers, String aggregate, long number, boolean delayed, long dueAt) {}

    private record Transaction(Set<Long> aggregates, List<Event> events, long commitAt, boolean rollsBack) {}

    @Override
    public long dueAt() {
        long due = left > 0 ? nextAt : NEVER;
        for (Transaction each : open) {
            due = Math.min(due, each.commitAt());
        }
        return due;
    }

    @Override
    public void step() {
        for (Transaction each : open) {
            if (each.commitAt() <= agenda.now()) {
                open.remove(each);
                end(each);
                return;
            }
        }
        if (plan.has(Feature.RETRY_BACKLOG) && agenda.now() < backlogUntil) {
            begin(1 + random.nextInt(plan.aggregates - 1), 0);
            nextAt = agenda.now() + random.nextLong(1 + pace / 2);
            return;
        }
        begin(plan.has(Feature.RETRY_BACKLOG) ? 0 : random.nextInt(plan.aggregates), commitDelay());
        nextAt = agenda.now() + random.nextLong(2 * pace);
    }

    boolean areDone() {
        return left <= 0 && open.isEmpty();
    }

    boolean isWriting(long aggregate) {
        return locked.contains(aggregate);
    }

    /** The next number of an aggregate. */
    long number(long aggregate) {
        return numbers.merge(aggregate, 1L, Long::sum);
    }

    private static long lane(long aggregate) {
        return aggregate * 7919 + 3;
    }

    static long aggregate(long lane) {
        return (lane - 3) / 7919;
    }

    private long commitDelay() {
        int kind = random.nextInt(20);
        if (kind == 0 && plan.has(Feature.VERY_LATE_COMMITS)) {
            return random.nextLong(SimulatedPlan.LATEST_COMMIT.toNanos());
        }
        if (kind < 4 && plan.has(Feature.LATE_COMMITS)) {
            return random.nextLong(plan.writing.toNanos() / 4);
        }
        return random.nextInt(3) == 0 ? random.nextLong(Duration.ofMillis(30).toNanos()) : 0;
    }

    private void begin(long aggregate, long commitDelay) {
        if (!locked.add(aggregate)) {
            return;
        }
        Set<Long> aggregates = new HashSet<>(Set.of(aggregate));
        List<Event> events = new ArrayList<>();
        int rows = 1;
        if (plan.has(Feature.BURSTS) && random.nextInt(8) == 0) {
            rows = 4 + random.nextInt(30);
        }
        if (plan.has(Feature.MANY_LONG_LANES) || plan.has(Feature.RETRY_BACKLOG) && aggregate == 0) {
            rows = MORE_THAN_A_LANE_HOLDS + random.nextInt(8);
        }
        for (int i = 0; i < rows; i++) {
            events.add(insert(aggregate));
        }
        if (plan.has(Feature.BULK) && random.nextInt(5) == 0) {
            for (long other = 0; other < plan.aggregates; other++) {
                if (random.nextBoolean() && locked.add(other)) {
                    aggregates.add(other);
                    for (int i = random.nextInt(6); i >= 0; i--) {
                        events.add(insert(other));
                    }
                }
            }
        }
        boolean rollsBack = plan.has(Feature.ROLLBACKS) && random.nextInt(6) == 0;
        Transaction transaction = new Transaction(aggregates, events, agenda.now() + commitDelay, rollsBack);
        if (commitDelay == 0) {
            end(transaction);
        } else {
            open.add(transaction);
        }
    }

    private Event insert(long aggregate) {
        left--;
        String type = type(aggregate);
        boolean delayed = plan.has(Feature.DELAYED) && random.nextInt(15) == 0;
        UUID id = new UUID(random.nextLong(), random.nextLong());
        long lane = delayed ? id.getMostSignificantBits() : lane(aggregate);
        long delay = delayed ? random.nextInt(3_000) * 1_000L : 0;
        MessageHead head = store.insertUncommitted(
                id, type, lane, store.handlers().snapshot().version(), delay, text(type));
        String name = delayed ? id.toString() : "aggregate " + aggregate;
        long number = number(aggregate);
        return new Event(head, world.deployment().required(type), name, number, delayed, agenda.now() + delay * 1000);
    }

    /** What a new event does to one of its handlers. */
    private String text(String type) {
        List<String> handlers = List.copyOf(world.deployment().required(type));
        String victim = handlers.get(random.nextInt(handlers.size()));
        return switch (random.nextInt(30)) {
            case 0, 1 -> plan.has(Feature.POISON) ? SimulatedHandlers.POISON + victim : "";
            case 2 -> plan.has(Feature.POISON) ? SimulatedHandlers.PERMANENT + victim : "";
            case 3 -> plan.has(Feature.DEFERRED) ? SimulatedHandlers.DEFERRED + victim : "";
            case 4 -> plan.has(Feature.REFUSED_COMMITS) ? SimulatedHandlers.REFUSED + victim : "";
            default -> "";
        };
    }

    private String type(long aggregate) {
        if (plan.has(Feature.RETRY_BACKLOG)) {
            return aggregate == 0 ? "a" : "c";
        }
        if (plan.has(Feature.MAILS) && random.nextInt(10) > 0) {
            return "c";
        }
        if (plan.has(Feature.BATCHES) && random.nextInt(4) > 0) {
            return SimulatedDeployment.BATCHED_TYPE;
        }
        if (plan.has(Feature.UNKNOWN_TYPES) && random.nextInt(4) == 0) {
            return SimulatedDeployment.UNKNOWN_TYPE;
        }
        List<String> types = world.deployment().types();
        return types.get(random.nextInt(types.size()));
    }

    private void end(Transaction transaction) {
        locked.removeAll(transaction.aggregates());
        for (Event event : transaction.events()) {
            if (transaction.rollsBack()) {
                store.rollback(event.head());
            } else {
                publish(event);
                store.commit(event.head());
                world.committed(event.head(), event.aggregate(), Math.max(agenda.now(), event.dueAt()));
                if (event.delayed()) {
                    world.delayed(event.head(), event.handlers(), event.dueAt());
                }
            }
        }
        if (left > 0 && random.nextInt(3) == 0) {
            // a writer that waited for the lock of one of these aggregates continues at once
            begin(transaction.aggregates().stream().min(Long::compare).orElseThrow(), 0);
        }
    }

    private void publish(Event event) {
        History history = world.history();
        boolean early =
                plan.has(Feature.FIRST_OF_A_GROUP) && event.head().type().equals(SimulatedDeployment.UNKNOWN_TYPE);
        UUID id = event.head().id();
        if (early) {
            history.publishedEarly(id, event.handlers(), event.aggregate(), event.number(), !event.delayed());
        } else {
            history.published(id, event.handlers(), event.aggregate(), event.number(), !event.delayed());
        }
    }
}
