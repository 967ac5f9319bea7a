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
    private static final int SMALL_RUNS_FOR_ONE = 3;
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
        for (Fleet build : stage.builds()) {
            compare(stage, build.build(), build.nodes(1, List.of()).get(0), "");
        }
        Node keeping = stage.nodes(1, List.of("outbox.on-success=keep")).get(0);
        OldHistory.fill(stage);
        compare(stage, "outboxed", keeping, "with history");
        OldHistory.remove(stage);
    }

    private void compare(Stage stage, String build, Node node, String variant) {
        NodeDrainer drainer = new NodeDrainer(build, stage.database(), stage.backlog(), List.of(node));
        Shape large =
                Shape.of(Shape.TICK, stage.options().backlog(), stage.options().aggregates());
        Shape small = large.withMessages(Math.min(SMALL, large.messages()));
        stage.warmUp(drainer, large);
        double heapSmall = heap(stage, node, small);
        List<Double> smallMicros = new ArrayList<>();
        List<Double> largeMicros = new ArrayList<>();
        for (int round = 1; round <= stage.options().runs(); round++) {
            List<Double> several = new ArrayList<>();
            for (int i = 0; i < SMALL_RUNS_FOR_ONE; i++) {
                several.add(micros(drainer.drain(small)));
            }
            smallMicros.add(Sample.of(several).median());
            largeMicros.add(micros(drainer.drain(large)));
            Say.progress(
                    "W5 %s %s run %d: %.1f us a message of %,d, %.1f us of %,d",
                    build,
                    variant,
                    round,
                    smallMicros.get(round - 1),
                    small.messages(),
                    largeMicros.get(round - 1),
                    large.messages());
        }
        double heapLarge = heap(stage, node, large);
        String words = variant.isEmpty() ? "" : " " + variant;
        add(stage, build, "small" + words, "microseconds_per_message", smallMicros);
        add(stage, build, "large" + words, "microseconds_per_message", largeMicros);
        add(stage, build, "small" + words, "heap_mebibytes", List.of(heapSmall));
        add(stage, build, "large" + words, "heap_mebibytes", List.of(heapLarge));
        if (!build.equals("outboxed")) {
            return;
        }
        String database = stage.database().id();
        stage.report()
                .add(TargetCheck.atMost(
                        id(),
                        database,
                        "time per message, large backlog against small" + words,
                        TIME_RATIO,
                        Sample.ofRatios(largeMicros, smallMicros).median()));
        stage.report()
                .add(TargetCheck.atMost(
                        id(),
                        database,
                        "heap in MiB that a large backlog takes more" + words,
                        HEAP_MEBIBYTES,
                        Math.max(0, heapLarge - heapSmall)));
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
