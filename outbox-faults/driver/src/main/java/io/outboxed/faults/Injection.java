package io.outboxed.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Carries out a plan, and records what was done when. */
final class Injection {
    private final Cluster cluster;
    private final Storage storage;
    private final Outages outages;
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private final List<Done> done = new ArrayList<>();
    private CompletableFuture<?> database = CompletableFuture.completedFuture(null);

    record Done(long at, String text) {}

    Injection(Cluster cluster, Storage storage, Outages outages) {
        this.cluster = cluster;
        this.storage = storage;
        this.outages = outages;
    }

    void run(Plan plan) {
        int step = 0;
        for (Plan.Step next : plan.steps()) {
            Pause.millis(next.pauseMillis());
            cluster.check();
            step++;
            String text = inject(next);
            if (text != null) {
                counts.merge(next.fault(), 1, Integer::sum);
                done.add(new Done(Micros.now(), text));
            }
            Say.progress("%3d of %d  %s", step, plan.steps().size(), text == null ? "left out: " + next.fault() : text);
        }
        database.join();
        cluster.awaitRecovery();
        cluster.check();
    }

    Map<Fault, Integer> counts() {
        return counts;
    }

    /** The last fault that began before the moment. */
    String lastBefore(long moment) {
        return done.stream()
                .filter(each -> each.at() <= moment)
                .reduce((first, second) -> second)
                .map(each -> each.text() + ", " + Micros.seconds(moment - each.at()) + " before")
                .orElse("none");
    }

    /** @return what was done, null if it was not possible now */
    private String inject(Plan.Step step) {
        double draw = step.draw();
        if (step.fault() == Fault.KILL_DATABASE) {
            return killDatabase(draw < 0.3 ? between(12_000, 15_000, draw / 0.3) : between(500, 4_000, draw));
        }
        if (step.fault() == Fault.KILL_ALL_NODES) {
            return killAll();
        }
        // one time in four the last healthy node may be hit too
        Node node = cluster.victim(step.victim(), step.fault().hitsNode() && draw > 0.25);
        if (node == null) {
            return null;
        }
        long millis = switch (step.fault()) {
            case FREEZE_PAST_LEASE -> between(11_000, 17_000, draw);
            case FREEZE_SHORTLY -> between(500, 9_000, draw);
            case HALF_OPEN -> between(3_000, 25_000, draw);
            case LATENCY -> between(20, 150, draw);
            case HANGING_HANDLERS -> between(5_000, 30_000, draw);
            default -> between(0, 4_000, draw);
        };
        switch (step.fault()) {
            case KILL_NODE -> cluster.hurt(node, () -> restart(node, node::kill, millis));
            case RESTART_NODE -> cluster.hurt(node, () -> restart(node, node::stop, 0));
            case FREEZE_PAST_LEASE, FREEZE_SHORTLY -> cluster.hurt(node, () -> node.freezeFor(millis));
            case HALF_OPEN -> cluster.hurt(node, () -> halfOpen(node, millis, step.victim() % 2 == 0));
            case LATENCY -> cluster.hurt(node, () -> slow(node, millis));
            case CUT_CONNECTIONS -> node.wire.cut();
            case HANGING_HANDLERS -> cluster.background(() -> node.post("hang?calls=3&millis=" + millis));
            case REPLAY -> cluster.background(() -> node.post("replay"));
            default -> throw new IllegalStateException(step.fault().name());
        }
        return step.fault() + " " + node.name() + " " + millis + " ms";
    }

    private String killDatabase(long millis) {
        if (!database.isDone()) {
            return null;
        }
        database = cluster.background(() -> storage.killFor(millis));
        return Fault.KILL_DATABASE + " " + millis + " ms";
    }

    /** Nodes that already have a fault recover by themselves. */
    private String killAll() {
        StringBuilder killed = new StringBuilder(Fault.KILL_ALL_NODES.name());
        for (Node node = cluster.victim(0, false); node != null; node = cluster.victim(0, false)) {
            Node victim = node;
            cluster.hurt(victim, () -> restart(victim, victim::kill, 0));
            killed.append(' ').append(victim.name());
        }
        return killed.toString();
    }

    private void restart(Node node, Runnable end, long millis) {
        end.run();
        Pause.millis(millis);
        cluster.begin(node);
        Say.progress("          %s is up again", node.name());
    }

    /** The connection ends as in reality: the bytes arrive late, or it is reset. */
    private void halfOpen(Node node, long millis, boolean reset) {
        Outages.Outage outage = outages.begin(node.name(), "half open");
        node.wire.silent(true);
        Pause.millis(millis);
        if (reset) {
            node.wire.cut();
        }
        node.wire.silent(false);
        outage.end();
    }

    private static void slow(Node node, long millis) {
        node.wire.delay(millis);
        Pause.millis(10_000);
        node.wire.delay(0);
    }

    private static long between(long least, long most, double draw) {
        return least + (long) ((most - least) * draw);
    }
}
