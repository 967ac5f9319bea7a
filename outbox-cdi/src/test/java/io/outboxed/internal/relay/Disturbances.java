package io.outboxed.internal.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What goes wrong with nodes and database while writers write. */
final class Disturbances implements Actor {
    private static final int MOST_NODES = 4;
    private static final List<Feature> STRIKES =
            List.of(Feature.OUTAGES, Feature.CUT_CALLS, Feature.LOST_ANSWERS, Feature.SLOW_CALLS, Feature.PAUSED_CALLS);
    private static final List<Feature> HAPPENINGS = List.of(
            Feature.CRASHES,
            Feature.FREEZES,
            Feature.SUSPENSIONS,
            Feature.JOINS,
            Feature.LEAVES,
            Feature.DEPLOYMENT,
            Feature.DOWN,
            Feature.LOST_SESSIONS);

    private final SimulatedWorld world;
    private final Random random;
    private final Agenda agenda;
    private final Strikes strikes;
    private final List<Feature> possible = new ArrayList<>();
    private final long pause;
    private final int longestOutage;
    private final long endsAt;
    private long nextAt;

    Disturbances(SimulatedWorld world, SimulatedPlan plan, Random random, Agenda agenda, Strikes strikes) {
        this.world = world;
        this.random = random;
        this.agenda = agenda;
        this.strikes = strikes;
        STRIKES.stream().filter(plan::has).forEach(possible::add);
        HAPPENINGS.stream().filter(plan::has).forEach(possible::add);
        this.endsAt = agenda.now() + plan.disturbed.toNanos();
        this.pause = plan.disturbed.toNanos() / (1 + random.nextInt(8));
        this.longestOutage = (int) plan.longestOutage().toMillis();
        this.nextAt = possible.isEmpty() ? NEVER : agenda.now() + random.nextLong(pause);
    }

    void end() {
        nextAt = NEVER;
        strikes.disarm();
    }

    @Override
    public long dueAt() {
        return nextAt;
    }

    @Override
    public void step() {
        long next = agenda.now() + random.nextLong(pause);
        nextAt = next < endsAt ? next : NEVER;
        Feature what = possible.get(random.nextInt(possible.size()));
        if (STRIKES.contains(what)) {
            strikes.arm(what);
            return;
        }
        List<SimulatedNode> nodes = world.nodes.running();
        SimulatedNode node = nodes.get(random.nextInt(nodes.size()));
        switch (what) {
            case CRASHES -> {
                world.fault();
                world.nodes.crash(node);
                if (world.nodes.running().isEmpty() || random.nextBoolean()) {
                    world.nodes.add();
                }
            }
            case FREEZES -> {
                world.fault();
                world.nodes.freeze(node);
            }
            case SUSPENSIONS -> {
                world.fault();
                node.suspend(world.nodes.pause());
            }
            case JOINS -> {
                if (nodes.size() < MOST_NODES) {
                    world.nodes.add();
                }
            }
            case LEAVES -> {
                if (nodes.size() > 1 && !node.isStopping()) {
                    world.fault();
                    node.stop();
                }
            }
            case DEPLOYMENT -> world.nodes.deploy();
            case LOST_SESSIONS -> {
                world.fault();
                node.connection().loseSession();
            }
            case DOWN ->
                world.takeDown(
                        List.of("ship", "mail").get(random.nextInt(2)),
                        Duration.ofMillis(random.nextInt(longestOutage)).toNanos());
            default -> throw new IllegalStateException(what.name());
        }
    }
}
