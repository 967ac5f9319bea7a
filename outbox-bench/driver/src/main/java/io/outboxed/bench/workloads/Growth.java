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
    private static final int HISTORY_AT_ONCE = 100_000;

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
        compare(stage, stage.nodes(1).get(0), "");
        Node keeping = stage.nodes(1, List.of("outbox.on-success=keep")).get(0);
        fillHistory(stage);
        compare(stage, keeping, "with history");
        stage.database().execute("TRUNCATE TABLE outbox_history");
    }

    private void compare(Stage stage, Node node, String variant) {
        NodeDrainer drainer = new NodeDrainer("outboxed", stage.database(), stage.backlog(), List.of(node));
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
                    "W5 %s run %d: %.1f us a message of %,d, %.1f us of %,d",
                    variant,
                    round,
                    smallMicros.get(round - 1),
                    small.messages(),
                    largeMicros.get(round - 1),
                    large.messages());
        }
        double heapLarge = heap(stage, node, large);
        String words = variant.isEmpty() ? "" : " " + variant;
        add(stage, "small" + words, "microseconds_per_message", smallMicros);
        add(stage, "large" + words, "microseconds_per_message", largeMicros);
        add(stage, "small" + words, "heap_mebibytes", List.of(heapSmall));
        add(stage, "large" + words, "heap_mebibytes", List.of(heapLarge));
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

    private void add(Stage stage, String variant, String metric, List<Double> values) {
        stage.report()
                .add(new Result(id(), variant, "outboxed", stage.database().id(), metric, Sample.of(values), null));
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

    /** Inserts messages that were handled long ago. */
    private static void fillHistory(Stage stage) {
        int wanted = stage.options().history();
        Say.progress("W5: filling the history with %,d messages", wanted);
        stage.backlog()
                .prepare(Shape.of(
                        Shape.TICK,
                        Math.min(HISTORY_AT_ONCE, wanted),
                        stage.options().aggregates()));
        for (int done = 0; done < wanted; done += HISTORY_AT_ONCE) {
            stage.database()
                    .execute("INSERT INTO outbox_history (id, processed_at, seq, shard, lane, aggregate_type,"
                            + " aggregate_id, type, payload, payload_size, delay_micros, registry_version)"
                            + " SELECT id, " + (done + 1) + ", n, shard, lane, 'bench', aggregate_id, type, payload,"
                            + " payload_size, 0, 0 FROM bench_rows");
        }
    }
}
