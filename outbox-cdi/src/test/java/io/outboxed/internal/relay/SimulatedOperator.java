package io.outboxed.internal.relay;

import io.outboxed.internal.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Replays dead letters, now and then. */
final class SimulatedOperator implements Actor {
    private static final long PAUSE = Duration.ofMillis(1_500).toNanos();

    private final SimulatedWorld world;
    private final Random random;
    private final Agenda agenda;
    private long nextAt;

    SimulatedOperator(SimulatedWorld world, Random random, Agenda agenda) {
        this.world = world;
        this.random = random;
        this.agenda = agenda;
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
            world.replay(dead.get(random.nextInt(dead.size())));
        }
    }
}
