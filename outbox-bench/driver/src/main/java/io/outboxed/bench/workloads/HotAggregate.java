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
 * W6: do other aggregates keep their pace while half of all messages belong to one aggregate, or while one is blocked?
 */
public final class HotAggregate implements Workload {
    private static final double OF_USUAL = 0.9;
    private static final double ROWS_READ_OF_USUAL = 1.5;
    private static final int HALF = 50;
    private static final String PREFIX = "outbox_";

    @Override
    public String id() {
        return "W6";
    }

    @Override
    public String what() {
        return "one aggregate has half of all messages; one aggregate is blocked, with many messages in front";
    }

    @Override
    public void run(Stage stage) {
        Node node = stage.nodes(1).get(0);
        NodeDrainer drainer = new NodeDrainer("outboxed", stage.database(), stage.backlog(), List.of(node));
        Shape usual =
                Shape.of(Shape.TICK, stage.options().messages(), stage.options().aggregates());
        stage.warmUp(drainer, usual);
        hot(stage, node, drainer, usual);
        blocked(stage, drainer, usual);
    }

    private void hot(Stage stage, Node node, NodeDrainer drainer, Shape usual) {
        List<Double> all = new ArrayList<>();
        List<Double> others = new ArrayList<>();
        List<Double> hot = new ArrayList<>();
        for (int round = 1; round <= stage.options().runs(); round++) {
            all.add(drainer.drain(usual).perSecond());
            hot.add(drainer.drain(usual.withHotAggregate(HALF)).perSecond());
            Map<String, Long> figures = node.figures();
            others.add(figures.get("others") / ((figures.get("last_other") - figures.get("first")) / 1e9));
            Say.progress(
                    "W6 run %d: usual %,.0f/s; with a hot aggregate %,.0f/s, the others %,.0f/s",
                    round, all.get(round - 1), hot.get(round - 1), others.get(round - 1));
        }
        add(stage, "usual", all);
        add(stage, "hot, all messages", hot);
        add(stage, "hot, the others", others);
        stage.report()
                .add(TargetCheck.atLeast(
                        id(),
                        stage.database().id(),
                        "rate of the others with a hot aggregate compared with W1",
                        OF_USUAL,
                        Sample.ofRatios(others, all).median()));
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

    private void blocked(Stage stage, NodeDrainer drainer, Shape usual) {
        List<Double> rowsRead = new ArrayList<>();
        List<Double> rowsReadUsual = new ArrayList<>();
        DrainRace race = new DrainRace(stage, id(), "blocked", null);
        for (int round = 1; round <= stage.options().runs(); round++) {
            var without = drainer.drain(usual);
            race.add("usual", without, round);
            rowsReadUsual.add(without.cost().rowsRead());
            BlockedAggregate blocked = BlockedAggregate.withMessages(stage, PREFIX, usual.messages());
            var with = drainer.drainBesideOthers(usual);
            blocked.remove();
            race.add("outboxed", with, round);
            rowsRead.add(with.cost().rowsRead());
        }
        race.report();
        String database = stage.database().id();
        stage.report()
                .add(TargetCheck.atLeast(
                        id(),
                        database,
                        "rate behind a blocked aggregate against W1",
                        OF_USUAL,
                        race.ratio("outboxed", "usual")));
        stage.report()
                .add(TargetCheck.atMost(
                        id(),
                        database,
                        "rows read behind a blocked aggregate against W1",
                        ROWS_READ_OF_USUAL,
                        Sample.ofRatios(rowsRead, rowsReadUsual).median()));
    }
}
