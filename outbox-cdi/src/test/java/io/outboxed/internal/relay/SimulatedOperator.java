package io.outboxed.internal.relay;

import io.outboxed.internal.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** An operator, who replays dead letters now and then. */
final class SimulatedOperator implements Actor {
    private static final long PAUSE = Duration.ofMillis(1_500).toNanos();

    private final SimulatedWorld world;
    private final Random random;
    private final Agenda agenda;
    private final SimulatedWriters writers;
    private final Attempts attempts;
    private final Patience patience;
    private long nextAt;

    SimulatedOperator(
            SimulatedWorld world, Agenda agenda, SimulatedWriters writers, Attempts attempts, Patience patience) {
        this.world = world;
        this.random = world.random();
        this.agenda = agenda;
        this.writers = writers;
        this.attempts = attempts;
        this.patience = patience;
        this.nextAt = agenda.now() + PAUSE;
    }

    @Override
    public long dueAt() {
        return nextAt;
    }

    @Override
    public void step() {
        nextAt = agenda.now() + random.nextLong(2 * PAUSE);
        List<MemoryStore.DeadLetterId> dead = world.store().dead();
        if (!dead.isEmpty()) {
            replay(dead.get(random.nextInt(dead.size())));
        }
    }

    void replayAll() {
        world.store().dead().forEach(this::replay);
    }

    /** Not beside an open transaction of its aggregate: which of the two comes first is not promised. */
    private void replay(MemoryStore.DeadLetterId dead) {
        String name = world.aggregate(dead.message());
        long aggregate = SimulatedWriters.aggregate(world.lane(dead.message()));
        MemoryStore store = world.store();
        int rows = store.messages();
        if (writers.isWriting(aggregate) || !store.replay(dead.message(), dead.handler())) {
            return;
        }
        attempts.replayed(dead.message(), dead.handler());
        patience.moved(name, agenda.now());
        // a blocked one continues in its place, unless a zombie has recorded its success since
        if (store.messages() > rows) {
            world.history().replayed(dead.message(), dead.handler(), writers.number(aggregate));
        }
    }
}
