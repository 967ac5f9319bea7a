package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.Result;
import io.outboxed.bench.report.Sample;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.Node;
import io.outboxed.bench.systems.NodeDrainer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

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
        Shape usual =
                Shape.of(Shape.TICK, stage.options().messages(), stage.options().aggregates());
        for (Fleet build : stage.builds()) {
            stage.warmUp(stage.drainer(build, 1), usual);
        }
        hot(stage, usual);
        blocked(stage, (NodeDrainer) stage.drainers().get(0), usual);
    }

    /** @param others the rate of all other aggregates beside the hot one */
    private record Round(double usual, double hot, double others) {

        static Round of(Node node, NodeDrainer drainer, Shape usual) {
            drainer.drain(usual);
            double alone = Node.callsPerSecond(node.figures(), "handled", "last");
            double hot = drainer.drain(usual.withHotAggregate(HALF)).perSecond();
            return new Round(alone, hot, Node.callsPerSecond(node.figures(), "others", "last_other"));
        }
    }

    private void hot(Stage stage, Shape usual) {
        Map<String, List<Round>> rounds = new LinkedHashMap<>();
        for (int number = 1; number <= stage.options().runs(); number++) {
            for (Fleet build : Turns.of(stage.builds(), number)) {
                Round round = Round.of(build.nodes(1, List.of()).get(0), stage.drainer(build, 1), usual);
                rounds.computeIfAbsent(build.build(), any -> new ArrayList<>()).add(round);
                Say.progress(
                        "W6 run %d, %s: usual %,.0f/s; with a hot aggregate %,.0f/s, the others %,.0f/s",
                        number, build.build(), round.usual(), round.hot(), round.others());
            }
        }
        rounds.forEach((build, all) -> {
            add(stage, build, "usual", all, Round::usual);
            add(stage, build, "hot, all messages", all, Round::hot);
            add(stage, build, "hot, the others", all, Round::others);
        });
        List<Round> ours = rounds.get("outboxed");
        List<Round> before = rounds.get(AgainstBefore.BEFORE);
        if (before != null) {
            against(stage, "usual", ours, before, Round::usual);
            against(stage, "hot, all messages", ours, before, Round::hot);
        }
        stage.report()
                .add(TargetCheck.atLeast(
                        id(),
                        stage.database().id(),
                        "rate of the others with a hot aggregate compared with W1",
                        OF_USUAL,
                        Sample.of(ours.stream()
                                        .map(round -> round.others() / round.usual())
                                        .toList())
                                .median()));
    }

    private void against(
            Stage stage, String variant, List<Round> ours, List<Round> before, Function<Round, Double> rate) {
        AgainstBefore.rates(
                stage,
                id(),
                variant,
                ours.stream().map(rate).toList(),
                before.stream().map(rate).toList());
    }

    private void add(Stage stage, String build, String variant, List<Round> rounds, Function<Round, Double> rate) {
        stage.report()
                .add(new Result(
                        id(),
                        variant,
                        build,
                        stage.database().id(),
                        "messages_per_second",
                        Sample.of(rounds.stream().map(rate).toList()),
                        null));
    }

    /** Of the current build only: the rows of a blocked aggregate are written as its relay would. */
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
