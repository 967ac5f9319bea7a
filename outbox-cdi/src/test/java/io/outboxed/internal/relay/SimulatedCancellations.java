package io.outboxed.internal.relay;

import io.outboxed.internal.store.MemoryTransaction;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;

/**
 * Business transactions that cancel delayed events, most of them shortly before or after these are due. They stay open
 * for a while, and some of them roll back.
 */
final class SimulatedCancellations implements Actor {
    private static final long LONGEST_TRANSACTION = Duration.ofMillis(1_500).toNanos();
    private static final long EARLIEST = Duration.ofMillis(800).toNanos();

    private final SimulatedWorld world;
    private final Random random;
    private final Agenda agenda;
    private final Patience patience;
    private final PriorityQueue<Step> steps = new PriorityQueue<>();

    SimulatedCancellations(SimulatedWorld world, Agenda agenda, Patience patience) {
        this.world = world;
        this.random = world.random();
        this.agenda = agenda;
        this.patience = patience;
    }

    /** @param open null: the transaction begins in this step */
    private record Step(long at, UUID event, MemoryTransaction open) implements Comparable<Step> {
        @Override
        public int compareTo(Step other) {
            return Long.compare(at, other.at);
        }
    }

    /** Called for each delayed event that is committed. */
    void consider(UUID event, long dueAt) {
        if (random.nextInt(2) == 0) {
            long at = dueAt - EARLIEST + random.nextLong(EARLIEST + EARLIEST / 4);
            steps.add(new Step(Math.max(agenda.now(), at), event, null));
        }
    }

    @Override
    public long dueAt() {
        return steps.isEmpty() ? NEVER : steps.peek().at();
    }

    @Override
    public void step() {
        Step step = steps.poll();
        if (step.open() == null) {
            begin(step.event());
        } else {
            end(step);
        }
    }

    private void begin(UUID event) {
        MemoryTransaction transaction = world.store().begin();
        if (transaction.cancel(event, agenda.now() / 1000)) {
            steps.add(new Step(agenda.now() + random.nextLong(LONGEST_TRANSACTION), event, transaction));
        }
    }

    private void end(Step step) {
        if (random.nextInt(3) == 0) {
            step.open().rollback();
            patience.moved(world.aggregate(step.event()), agenda.now());
        } else {
            step.open().commit();
            world.history().cancelled(step.event());
        }
    }
}
