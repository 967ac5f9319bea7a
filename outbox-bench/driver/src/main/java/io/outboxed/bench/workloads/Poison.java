package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.Result;
import io.outboxed.bench.report.Sample;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.Node;
import io.outboxed.bench.systems.NodeDrainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** W11: do the others keep their pace while the handler fails for one aggregate in a hundred, and retries wait? */
public final class Poison implements Workload {
    private static final double OF_USUAL = 0.9;
    private static final int AGGREGATES = 1_000;
    private static final int ONE_IN = 100;

    @Override
    public String id() {
        return "W11";
    }

    @Override
    public String what() {
        return "the handler fails each time for one aggregate in a hundred";
    }

    @Override
    public void run(Stage stage) {
        Node node = stage.nodes(1).get(0);
        NodeDrainer drainer = new NodeDrainer("outboxed", stage.database(), stage.backlog(), List.of(node));
        Shape usual = Shape.of(Shape.TICK, stage.options().messages(), AGGREGATES);
        Shape flawed = Shape.of(Shape.FLAWED, usual.messages(), AGGREGATES);
        int healthy = healthy(flawed);
        stage.warmUp(drainer, usual);
        healthyRate(stage, node, flawed, healthy);
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int round = 1; round <= stage.options().runs(); round++) {
            drainer.drain(usual);
            without.add(rate(node.figures()));
            with.add(healthyRate(stage, node, flawed, healthy));
            Say.progress(
                    "W11 run %d: usual %,.0f/s; with poison, the others %,.0f/s",
                    round, without.get(round - 1), with.get(round - 1));
        }
        add(stage, "usual", without);
        add(stage, "with poison, the others", with);
        stage.report()
                .add(TargetCheck.atLeast(
                        id(),
                        stage.database().id(),
                        "rate of the others with poison against the usual one",
                        OF_USUAL,
                        Sample.ofRatios(with, without).median()));
    }

    private static int healthy(Shape shape) {
        int[] count = {0};
        try {
            shape.forEach((number, aggregate, payload) -> count[0] += aggregate % ONE_IN == 0 ? 0 : 1);
        } catch (Exception e) {
            throw new IllegalStateException("counting does not fail", e);
        }
        return count[0];
    }

    private static double healthyRate(Stage stage, Node node, Shape flawed, int healthy) {
        stage.backlog().rest(node.prefix());
        node.reset();
        stage.backlog().fill(flawed, node.prefix()).release();
        double rate = rate(node.awaitHandled(healthy));
        remove(stage, node.prefix());
        return rate;
    }

    /** Those that fail are not counted. */
    private static double rate(Map<String, Long> figures) {
        return Node.callsPerSecond(figures, "handled", "last");
    }

    /** What fails would be retried for hours. */
    private static void remove(Stage stage, String prefix) {
        stage.backlog().awaitNoneReady(prefix);
        stage.database()
                .execute(
                        "DELETE FROM " + prefix + "delivery",
                        "DELETE FROM " + prefix + "message",
                        "DELETE FROM " + prefix + "lane",
                        "DELETE FROM " + prefix + "dead");
    }

    private void add(Stage stage, String variant, List<Double> rates) {
        stage.report()
                .add(new Result(
                        id(),
                        variant,
                        "outboxed",
                        stage.database().id(),
                        "messages_per_second",
                        Sample.of(rates),
                        null));
    }
}
