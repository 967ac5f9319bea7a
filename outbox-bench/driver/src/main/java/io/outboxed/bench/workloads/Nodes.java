package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Pause;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.Result;
import io.outboxed.bench.report.Sample;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.Drained;
import io.outboxed.bench.systems.NodeDrainer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** W7: how much do a second and a third node add, if each handler takes 2 ms? */
public final class Nodes implements Workload {
    private static final int MOST = 3;
    private static final double LINEAR = 0.9;
    private static final long TO_SHARE_MILLIS = 15_000;

    @Override
    public String id() {
        return "W7";
    }

    @Override
    public String what() {
        return "one, two and three nodes, handlers of 2 ms";
    }

    @Override
    public void run(Stage stage) {
        Shape shape = Shape.of(
                Shape.ERRAND, stage.options().messages(), stage.options().aggregates());
        double alone = 0;
        for (int count = 1; count <= MOST; count++) {
            Map<String, List<Drained>> runs = runs(stage, shape, count);
            String variant = count == 1 ? "1 node" : count + " nodes";
            runs.forEach((build, all) -> {
                add(stage, build, variant, "messages_per_second", all, Drained::perSecond);
                add(stage, build, variant, "machine_busy_percent", all, Nodes::busyPercent);
            });
            List<Drained> ours = runs.get("outboxed");
            if (runs.containsKey(AgainstBefore.BEFORE)) {
                AgainstBefore.rates(stage, id(), variant, rates(ours), rates(runs.get(AgainstBefore.BEFORE)));
            }
            double rate = median(ours, Drained::perSecond);
            alone = count == 1 ? rate : alone;
            if (count > 1) {
                stage.report()
                        .add(TargetCheck.atLeast(
                                id(),
                                stage.database().id(),
                                String.format(
                                        Locale.ROOT,
                                        "%s against %d times one (the machine was %.0f %% busy)",
                                        variant,
                                        count,
                                        median(ours, Nodes::busyPercent)),
                                LINEAR,
                                rate / (count * alone)));
            }
        }
    }

    /** The idle nodes of the other builds stay up, so that the builds can take turns. */
    private static Map<String, List<Drained>> runs(Stage stage, Shape shape, int count) {
        Map<String, List<Drained>> runs = new LinkedHashMap<>();
        List<NodeDrainer> drainers = stage.builds().stream()
                .map(build -> stage.drainer(build, count))
                .toList();
        Pause.millis(count == 1 ? 0 : TO_SHARE_MILLIS);
        drainers.forEach(drainer -> {
            stage.warmUp(drainer, shape);
            runs.put(drainer.name(), new ArrayList<>());
        });
        for (int round = 1; round <= stage.options().runs(); round++) {
            for (NodeDrainer drainer : Turns.of(drainers, round)) {
                Drained drained = drainer.drain(shape);
                runs.get(drainer.name()).add(drained);
                Say.progress("W7 %d nodes run %d, %s: %,.0f/s", count, round, drainer.name(), drained.perSecond());
            }
        }
        return runs;
    }

    private static List<Double> rates(List<Drained> runs) {
        return runs.stream().map(Drained::perSecond).toList();
    }

    private static double median(List<Drained> runs, Function<Drained, Double> figure) {
        return Sample.of(runs.stream().map(figure).toList()).median();
    }

    /** All nodes and the database share this machine: without an idle core, another node can't help. */
    private static double busyPercent(Drained drained) {
        double cpuSeconds =
                (drained.cost().applicationCpuMillis() + drained.cost().databaseCpuMillis())
                        * drained.messages()
                        / 1000;
        return 100 * cpuSeconds / drained.seconds() / Runtime.getRuntime().availableProcessors();
    }

    private void add(
            Stage stage,
            String build,
            String variant,
            String metric,
            List<Drained> runs,
            Function<Drained, Double> figure) {
        Sample sample = Sample.of(runs.stream().map(figure).toList());
        stage.report().add(new Result(id(), variant, build, stage.database().id(), metric, sample, null));
    }
}
