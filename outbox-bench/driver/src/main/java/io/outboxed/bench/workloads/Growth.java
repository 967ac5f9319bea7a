package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.Result;
import io.outboxed.bench.report.Sample;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.Drained;
import io.outboxed.bench.systems.Node;
import io.outboxed.bench.systems.NodeDrainer;
import java.util.ArrayList;
import java.util.List;

/** W5: does a message cost more, or does the server need more memory, if a hundred times as many wait? */
public final class Growth implements Workload {
    private static final int SMALL = 10_000;
    private static final int SMALL_RUNS_FOR_ONE = 5;
    private static final double TIME_RATIO = 1.3;
    private static final double HEAP_MEBIBYTES = 64;
    private static final double MEBIBYTE = 1 << 20;

    @Override
    public String id() {
        return "W5";
    }

    @Override
    public String what() {
        return "a small and a large backlog, without and with a long history";
    }

    @Override
    public void run(Stage stage) {
        compare(
                stage,
                stage.builds().stream().map(build -> Side.of(stage, build)).toList(),
                "");
        Node keeping = stage.nodes(1, List.of("outbox.on-success=keep")).get(0);
        OldHistory.fill(stage);
        compare(stage, List.of(Side.of(stage, "outboxed", keeping)), " with history");
        OldHistory.remove(stage);
    }

    /** A build, and what is measured of it. */
    private record Side(
            String build, Node node, NodeDrainer drainer, List<Double> small, List<Double> large, List<Double> heap) {

        static Side of(Stage stage, Fleet build) {
            return of(stage, build.build(), build.nodes(1, List.of()).get(0));
        }

        static Side of(Stage stage, String build, Node node) {
            NodeDrainer drainer = new NodeDrainer(build, stage.database(), stage.backlog(), List.of(node));
            return new Side(build, node, drainer, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    private void compare(Stage stage, List<Side> sides, String words) {
        Shape large =
                Shape.of(Shape.TICK, stage.options().backlog(), stage.options().aggregates());
        Shape small = large.withMessages(Math.min(SMALL, large.messages()));
        for (Side side : sides) {
            stage.warmUp(side.drainer(), large);
            side.heap().add(heap(stage, side.node(), small));
        }
        for (int round = 1; round <= stage.options().runs(); round++) {
            for (Side side : Turns.of(sides, round)) {
                measure(side, small, large);
                Say.progress(
                        "W5 %s%s run %d: %.1f us a message of %,d, %.1f us of %,d",
                        side.build(),
                        words,
                        round,
                        side.small().get(round - 1),
                        small.messages(),
                        side.large().get(round - 1),
                        large.messages());
            }
        }
        for (Side side : sides) {
            side.heap().add(heap(stage, side.node(), large));
            add(stage, side.build(), "small" + words, "microseconds_per_message", side.small());
            add(stage, side.build(), "large" + words, "microseconds_per_message", side.large());
            add(
                    stage,
                    side.build(),
                    "small" + words,
                    "heap_mebibytes",
                    side.heap().subList(0, 1));
            add(
                    stage,
                    side.build(),
                    "large" + words,
                    "heap_mebibytes",
                    side.heap().subList(1, 2));
        }
        sides.stream()
                .filter(side -> side.build().equals("outboxed"))
                .forEach(ours -> check(stage, ours, sides, words));
    }

    private static void measure(Side side, Shape small, Shape large) {
        List<Double> several = new ArrayList<>();
        for (int i = 0; i < SMALL_RUNS_FOR_ONE; i++) {
            several.add(micros(side.drainer().drain(small)));
        }
        side.small().add(Sample.of(several).median());
        side.large().add(micros(side.drainer().drain(large)));
    }

    private void check(Stage stage, Side ours, List<Side> sides, String words) {
        sides.stream().filter(side -> side.build().equals(AgainstBefore.BEFORE)).forEach(before -> {
            AgainstBefore.times(stage, id(), "small" + words, ours.small(), before.small());
            AgainstBefore.times(stage, id(), "large" + words, ours.large(), before.large());
        });
        String database = stage.database().id();
        stage.report()
                .add(TargetCheck.atMost(
                        id(),
                        database,
                        "time per message, large backlog against small" + words,
                        TIME_RATIO,
                        Sample.ofRatios(ours.large(), ours.small()).median()));
        stage.report()
                .add(TargetCheck.atMost(
                        id(),
                        database,
                        "heap in MiB that a large backlog takes more" + words,
                        HEAP_MEBIBYTES,
                        Math.max(0, ours.heap().get(1) - ours.heap().get(0))));
    }

    private void add(Stage stage, String build, String variant, String metric, List<Double> values) {
        stage.report().add(new Result(id(), variant, build, stage.database().id(), metric, Sample.of(values), null));
    }

    private static double micros(Drained drained) {
        return 1e6 * drained.seconds() / drained.messages();
    }

    /** Measured in the middle of a separate drain, because the full collection stops it. */
    private static double heap(Stage stage, Node node, Shape shape) {
        stage.backlog().rest(node.prefix());
        node.reset();
        stage.backlog().fill(shape, node.prefix()).release();
        node.awaitHandled(shape.messages() / 2);
        double used = node.heapInUse() / MEBIBYTE;
        node.awaitHandled(shape.messages());
        stage.backlog().awaitEmpty(node.prefix());
        return used;
    }
}
