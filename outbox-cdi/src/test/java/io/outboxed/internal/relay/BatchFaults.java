package io.outboxed.internal.relay;

import java.util.List;
import java.util.Random;

/** What goes wrong in the middle of a call with several events: between two claims, during the call, before the commit. */
final class BatchFaults {
    private static final int ONE_IN = 40;

    private final SimulatedWorld world;
    private final Random random;
    private boolean over;

    BatchFaults(SimulatedWorld world, Random random) {
        this.world = world;
        this.random = random;
    }

    void end() {
        over = true;
    }

    void amidBatch(SimulatedNode node) {
        if (over || random.nextInt(ONE_IN) > 0) {
            return;
        }
        world.fault();
        switch (random.nextInt(4)) {
            case 0 -> {
                world.nodes.crash(node);
                world.nodes.running();
            }
            case 1 -> standsStill(node);
            case 2 -> {
                standsStill(node);
                node.workers().cut();
            }
            default -> remove(node.workers().unclaimed());
        }
    }

    /** Until others have taken over, so at least one has to go on. */
    private void standsStill(SimulatedNode node) {
        if (!world.nodes.isAnyFrozen()) {
            world.nodes.freezePastItsLease(node);
        }
    }

    private void remove(List<Delivery> unclaimed) {
        if (!unclaimed.isEmpty()) {
            Delivery victim = unclaimed.get(random.nextInt(unclaimed.size()));
            if (world.store().remove(victim.head())) {
                world.history().removed(victim.head().id());
            }
        }
    }
}
