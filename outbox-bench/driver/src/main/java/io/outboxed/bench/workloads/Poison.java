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

/**
 * W11: do the others keep their pace while the handler fails? Either for all events of one aggregate in a hundred,
 * whose retries wait, or for one event in a hundred of all aggregates, each of which becomes a dead letter at once. With
 * a handler that does nothing, and with one that inserts a row in its transaction.
 */
public final class Poison implements Workload {
    private static final double OF_USUAL = 0.9;
    private static final int AGGREGATES = 1_000;
    private static final List<Kind> KINDS = List.of(
            new Kind("", Shape.TICK, Shape.FLAWED, Shape.SPOILED),
            new Kind("transactional, ", Shape.ENTRY, Shape.FLAWED_ENTRY, Shape.SPOILED_ENTRY));

    /** What a handler does, and the types of the events for which it never, or sometimes, fails. */
    private record Kind(String variant, String usual, String flawed, String spoiled) {}

    @Override
    public String id() {
        return "W11";
    }

    @Override
    public String what() {
        return "the handler fails for one aggregate, or one event, in a hundred";
    }

    @Override
    public void run(Stage stage) {
        Node node = stage.nodes(1).get(0);
        NodeDrainer drainer = new NodeDrainer("outboxed", stage.database(), stage.backlog(), List.of(node));
        for (Kind kind : KINDS) {
            run(stage, node, drainer, kind);
        }
    }

    private void run(Stage stage, Node node, NodeDrainer drainer, Kind kind) {
        Shape usual = Shape.of(kind.usual(), stage.options().messages(), AGGREGATES);
        Shape flawed = Shape.of(kind.flawed(), usual.messages(), AGGREGATES);
        Shape spoiled = Shape.of(kind.spoiled(), usual.messages(), AGGREGATES);
        stage.warmUp(drainer, usual);
        healthyRate(stage, node, flawed);
        healthyRate(stage, node, spoiled);
        List<Double> without = new ArrayList<>();
        List<Double> aggregates = new ArrayList<>();
        List<Double> events = new ArrayList<>();
        for (int round = 1; round <= stage.options().runs(); round++) {
            drainer.drain(usual);
            without.add(rate(node.figures()));
            // at the end of the last round only poison was left, which may count as an outage until something succeeds
            drainer.drain(Shape.of(kind.flawed(), AGGREGATES, 50));
            aggregates.add(healthyRate(stage, node, flawed));
            events.add(healthyRate(stage, node, spoiled));
            Say.progress(
                    "W11 %srun %d: usual %,.0f/s; with poisoned aggregates, the others %,.0f/s; with poisoned events, %,.0f/s",
                    kind.variant(), round, last(without), last(aggregates), last(events));
        }
        add(stage, kind.variant() + "usual", without);
        compare(stage, kind.variant() + "with poisoned aggregates, the others", without, aggregates);
        compare(stage, kind.variant() + "with poisoned events, the others", without, events);
    }

    private static double last(List<Double> rates) {
        return rates.get(rates.size() - 1);
    }

    private static int healthy(Shape shape) {
        int[] count = {0};
        try {
            shape.forEach((number, aggregate, payload) ->
                    count[0] += shape.isPoison(number) || shape.isFlawed(aggregate) ? 0 : 1);
        } catch (Exception e) {
            throw new IllegalStateException("counting does not fail", e);
        }
        return count[0];
    }

    private static double healthyRate(Stage stage, Node node, Shape shape) {
        int healthy = healthy(shape);
        // as before a drain: to create the rows leaves work to the database
        stage.backlog().prepare(shape);
        stage.backlog().rest(node.prefix());
        node.reset();
        stage.backlog().fill(shape, node.prefix()).release();
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

    private void compare(Stage stage, String variant, List<Double> usual, List<Double> others) {
        add(stage, variant, others);
        stage.report()
                .add(TargetCheck.atLeast(
                        id(),
                        stage.database().id(),
                        "rate " + variant + ", against the usual one",
                        OF_USUAL,
                        Sample.ofRatios(others, usual).median()));
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
