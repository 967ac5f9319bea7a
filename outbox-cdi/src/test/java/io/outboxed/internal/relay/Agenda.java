package io.outboxed.internal.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Whose turn it is, and the time: any of the actors that are due may be next; while none is, the clock jumps. */
final class Agenda {
    private static final long LONGEST_STEP = 750_000;

    private final Random random;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Actor> due = new ArrayList<>();
    private long now = 1_000_000_000;
    private long steps;
    private Actor current;

    Agenda(Random random) {
        this.random = random;
    }

    /** Nanoseconds. */
    long now() {
        return now;
    }

    long steps() {
        return steps;
    }

    /** Whose step it is. */
    <A extends Actor> A current(Class<A> kind) {
        return kind.cast(current);
    }

    void add(Actor actor) {
        actors.add(actor);
    }

    void remove(Actor actor) {
        actors.remove(actor);
    }

    /** @param until the clock does not jump beyond */
    void step(long until) {
        steps++;
        now += random.nextLong(LONGEST_STEP);
        due.clear();
        long next = until;
        for (Actor actor : actors) {
            long at = actor.dueAt();
            if (at <= now) {
                due.add(actor);
            } else {
                next = Math.min(next, at);
            }
        }
        if (due.isEmpty()) {
            now = Math.max(now, next);
        } else {
            current = due.get(random.nextInt(due.size()));
            current.step();
        }
    }
}
