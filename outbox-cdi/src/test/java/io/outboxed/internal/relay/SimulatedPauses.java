package io.outboxed.internal.relay;

import io.outboxed.admin.PauseTarget;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An operator, who pauses and resumes at random, and expects that nothing of what is paused is called. */
final class SimulatedPauses implements Actor {
    private static final long BETWEEN = Duration.ofMillis(1_200).toNanos();
    /** A relay notices within a second; answers of the database take a while. */
    private static final long NOTICED = Duration.ofMillis(1_500).toNanos();

    private static final List<PauseTarget> TARGETS = List.of(
            PauseTarget.everything(),
            PauseTarget.type("a"),
            PauseTarget.handler("ship"),
            PauseTarget.handler("mail"),
            PauseTarget.handler("book.placed"));

    private final SimulatedWorld world;
    private final Random random;
    private final Agenda agenda;
    private final Map<PauseTarget, Long> since = new HashMap<>();
    private long nextAt;

    SimulatedPauses(SimulatedWorld world, Agenda agenda) {
        this.world = world;
        this.random = world.random();
        this.agenda = agenda;
    }

    void begin() {
        nextAt = agenda.now() + random.nextLong(BETWEEN);
    }

    @Override
    public long dueAt() {
        return nextAt;
    }

    @Override
    public void step() {
        nextAt = agenda.now() + random.nextLong(2 * BETWEEN);
        PauseTarget target = TARGETS.get(random.nextInt(TARGETS.size()));
        if (since.containsKey(target)) {
            resume(target);
        } else {
            since.put(target, agenda.now());
            world.store().pause(target);
        }
    }

    /** Resumes everything, for good. */
    void end() {
        nextAt = NEVER;
        List.copyOf(since.keySet()).forEach(this::resume);
    }

    private void resume(PauseTarget target) {
        since.remove(target);
        world.store().resume(target);
    }

    /** A handler is called by a node that has had no fault. */
    void begins(Delivery delivery) {
        since.forEach((target, begun) -> {
            if (target.covers(delivery.head().type(), delivery.handler()) && agenda.now() - begun > NOTICED) {
                world.history().violation("called while paused: " + delivery.handler() + ", " + target);
            }
        });
    }
}
