package io.outboxed.internal.relay;

import io.outboxed.internal.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/** Faults that strike at one of the next store calls of any node, whatever that is in the middle of. */
final class Strikes {
    /** Nested: while one node stands still in a call, others may as well. */
    private static final int DEEPEST = 3;

    private static final List<String> CALLS =
            List.of("decide", "ready", "waiting", "start", "settle", "settle", "nodes", "shards", "take", "due", "lanes");

    private final SimulatedWorld world;
    private final Random random;
    private final Agenda agenda;
    private final List<Strike> armed = new ArrayList<>();
    private int depth;

    Strikes(SimulatedWorld world, Random random, Agenda agenda) {
        this.world = world;
        this.random = random;
        this.agenda = agenda;
    }

    private static final class Strike {
        private final Feature kind;
        private final String call;
        private final boolean afterwards;
        private int countdown;

        private Strike(Feature kind, String call, boolean afterwards, int countdown) {
            this.kind = kind;
            this.call = call;
            this.afterwards = afterwards;
            this.countdown = countdown;
        }
    }

    void arm(Feature kind) {
        boolean afterwards = kind == Feature.LOST_ANSWERS || kind != Feature.CUT_CALLS && random.nextBoolean();
        String call = random.nextBoolean() ? "" : CALLS.get(random.nextInt(CALLS.size()));
        armed.add(new Strike(kind, call, afterwards, random.nextInt(call.isEmpty() ? 40 : 6)));
    }

    void disarm() {
        armed.clear();
    }

    void before(SimulatedNode node, String call) {
        strike(node, call, false);
        letOthersGoOn(node);
    }

    void after(SimulatedNode node, String call) {
        strike(node, call, true);
        letOthersGoOn(node);
    }

    private void letOthersGoOn(SimulatedNode node) {
        pass(() -> node.frozenUntil);
        if (depth < DEEPEST && random.nextInt(8) == 0) {
            depth++;
            agenda.step(agenda.now());
            depth--;
        }
    }

    private void strike(SimulatedNode node, String call, boolean afterwards) {
        for (Strike each : armed) {
            if (each.afterwards == afterwards
                    && (each.call.isEmpty() || each.call.equals(call))
                    && each.countdown-- <= 0) {
                armed.remove(each);
                carryOut(each.kind, node, call);
                return;
            }
        }
    }

    private void carryOut(Feature kind, SimulatedNode node, String call) {
        world.fault();
        switch (kind) {
            case CUT_CALLS, LOST_ANSWERS -> throw new StoreException("connection lost: " + call, true, null);
            case OUTAGES -> {
                world.outage();
                throw new StoreException("connection lost: " + call, true, null);
            }
            case SLOW_CALLS -> {
                long until = agenda.now() + world.pause();
                pass(() -> until);
            }
            case PAUSED_CALLS -> world.freeze(node);
            default -> throw new IllegalArgumentException(kind.name());
        }
    }

    private void pass(LongSupplier until) {
        if (depth < DEEPEST) {
            depth++;
            while (agenda.now() < until.getAsLong()) {
                agenda.step(until.getAsLong());
            }
            depth--;
        }
    }
}
