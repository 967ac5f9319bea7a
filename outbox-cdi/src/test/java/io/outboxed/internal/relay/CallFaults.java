package io.outboxed.internal.relay;

import io.outboxed.internal.store.AckMode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * How long the calls of a simulated world take: which of them hang, and which fail although their handler would
 * succeed.
 */
final class CallFaults {
    private static final Duration SLOW_CALL = Duration.ofMillis(400);
    private static final String SLOW_HANDLER = "ship";

    private final SimulatedPlan plan;
    private final HandlerMoods moods;
    private final Random random;
    /** Aggregates in which a call hangs. */
    private final Set<String> hung;
    /** What a successor repeats and can't finish, so that a success from the zombie contradicts its own failure. */
    private final Set<Delivery> spoiled = new HashSet<>();

    private boolean healed;

    CallFaults(SimulatedPlan plan, HandlerMoods moods, Random random, Set<String> hung) {
        this.plan = plan;
        this.moods = moods;
        this.random = random;
        this.hung = hung;
    }

    /**
     * @param takenOver another node has begun it before
     * @return how long the call takes
     */
    long begins(Delivery delivery, String aggregate, boolean takenOver) {
        if (takenOver && !healed && plan.has(Feature.ZOMBIES) && random.nextBoolean()) {
            spoiled.add(delivery);
        }
        if (plan.has(Feature.RETRY_BACKLOG) && delivery.handler().equals("mail") && !moods.isDown("mail")) {
            return SLOW_CALL.toNanos();
        }
        if (healed) {
            return random.nextInt(6) * 1_000_000L;
        }
        if (plan.has(Feature.HUNG_CALLS)
                && random.nextInt(25) == 0
                && hung.size() < plan.config.relay().workers()) {
            hung.add(aggregate);
            return Actor.NEVER;
        }
        if (plan.has(Feature.SLOW_HANDLER) && delivery.handler().equals(SLOW_HANDLER)) {
            return 600_000_000L + random.nextInt(700_000_000);
        }
        boolean isLong = plan.has(Feature.LONG_CALLS) && random.nextInt(12) == 0;
        return isLong ? random.nextLong(2_500_000_000L) : random.nextInt(6) * 1_000_000L;
    }

    boolean spoils(Delivery delivery) {
        return spoiled.remove(delivery);
    }

    /**
     * Only while further handlers are to be called: that a lost end of an event is noticed in time is not promised. Nor
     * is it for an event that is split, whose deliveries have another mode.
     */
    boolean losesCommit(Delivery delivery) {
        return plan.has(Feature.LOST_COMMITS)
                && !healed
                && delivery.ackMode() == AckMode.ADD_DONE_ROW
                && random.nextInt(5) == 0;
    }

    /** From now on nothing new goes wrong. */
    void heal() {
        healed = true;
    }
}
