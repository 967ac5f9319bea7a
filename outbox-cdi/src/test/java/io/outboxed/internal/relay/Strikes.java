package io.outboxed.internal.relay;

import io.outboxed.internal.database.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Faults that strike at one of the next store calls of any node, whatever it is doing at the time. */
final class Strikes {
    /** Nested: while one node is stuck in a call, others may get stuck as well. */
    private static final int DEEPEST = 6;

    /** Each answer of a slow database: nested deeper, the first caller would wait for the turns of all others. */
    private static final int DEEPEST_IF_SLOW = 2;

    private static final long LONGEST_ANSWER = 6_000_000;

    private static final List<String> CALLS =
            List.of("write", "ready", "waiting", "start", "acknowledge", "live", "all", "take", "due", "lanes");

    private final SimulatedWorld world;
    private final Random random;
    private final Agenda agenda;
    private final List<Strike> armed = new ArrayList<>();
    private final boolean slow;
    private boolean zombies;
    private boolean lostCounts;
    private int depth;

    /**
     * @param slow each call takes its time
     * @param zombies nodes stand still before they record successes
     * @param lostCounts the answers to counts of suspects' starts are lost
     */
    Strikes(SimulatedWorld world, Random random, Agenda agenda, boolean slow, boolean zombies, boolean lostCounts) {
        this.zombies = zombies;
        this.lostCounts = lostCounts;
        this.slow = slow;
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
        boolean beforeAcknowledging = kind == Feature.PAUSED_CALLS && random.nextBoolean();
        if (beforeAcknowledging) {
            armed.add(new Strike(kind, "acknowledge", false, random.nextInt(12)));
            return;
        }
        if (kind == Feature.SLOW_CALLS && random.nextInt(3) == 0) {
            armed.add(new Strike(kind, "live", afterwards, random.nextInt(6)));
            return;
        }
        String call = random.nextBoolean() ? "" : CALLS.get(random.nextInt(CALLS.size()));
        armed.add(new Strike(kind, call, afterwards, random.nextInt(call.isEmpty() ? 40 : 6)));
    }

    void disarm() {
        zombies = false;
        lostCounts = false;
        armed.clear();
    }

    void before(SimulatedNode node, String call) {
        strike(node, call, false);
        if (zombies && call.equals("acknowledge") && random.nextInt(8) == 0) {
            makeZombie(node);
        }
        letOthersGoOn(node);
    }

    /** Unless another node stands still: one has to take over. */
    private void makeZombie(SimulatedNode node) {
        if (!world.nodes.isAnyFrozen()) {
            world.fault();
            world.nodes.freezePastItsLease(node);
        }
    }

    void after(SimulatedNode node, String call) {
        strike(node, call, true);
        if (lostCounts && call.equals("start") && random.nextInt(2) == 0) {
            flush(Feature.LOST_ANSWERS, node, call);
        }
        letOthersGoOn(node);
    }

    private void letOthersGoOn(SimulatedNode node) {
        if (slow) {
            long answered = agenda.now() + random.nextLong(LONGEST_ANSWER);
            if (depth < DEEPEST_IF_SLOW) {
                pass(answered);
            }
        } else if (depth < DEEPEST && random.nextInt(8) == 0) {
            depth++;
            agenda.step(agenda.now());
            depth--;
        }
        if (depth < DEEPEST) {
            depth++;
            // it may be woken earlier
            while (agenda.now() < node.frozenUntil) {
                agenda.step(node.frozenUntil);
            }
            depth--;
        }
    }

    private void strike(SimulatedNode node, String call, boolean afterwards) {
        for (Strike each : armed) {
            if (each.afterwards == afterwards
                    && (each.call.isEmpty() || each.call.equals(call))
                    && each.countdown-- <= 0) {
                armed.remove(each);
                flush(each.kind, node, call);
                return;
            }
        }
    }

    private void flush(Feature kind, SimulatedNode node, String call) {
        world.fault();
        switch (kind) {
            case CUT_CALLS, LOST_ANSWERS -> throw new StoreException("connection lost: " + call, true, null);
            case OUTAGES -> {
                world.outage();
                throw new StoreException("connection lost: " + call, true, null);
            }
            case SLOW_CALLS ->
                pass(agenda.now() + (random.nextBoolean() ? world.nodes.almostALease() : world.nodes.pause()));
            case PAUSED_CALLS -> world.nodes.freeze(node);
            default -> throw new IllegalArgumentException(kind.name());
        }
    }

    private void pass(long until) {
        if (depth < DEEPEST) {
            depth++;
            while (agenda.now() < until) {
                agenda.step(until);
            }
            depth--;
        }
    }
}
