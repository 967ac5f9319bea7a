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
import java.util.List;
import java.util.Locale;

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
            NodeDrainer drainer = new NodeDrainer("outboxed", stage.database(), stage.backlog(), stage.nodes(count));
            Pause.millis(count == 1 ? 0 : TO_SHARE_MILLIS);
            stage.warmUp(drainer, shape);
            List<Double> rates = new ArrayList<>();
            List<Double> busy = new ArrayList<>();
            for (int round = 1; round <= stage.options().runs(); round++) {
                Drained drained = drainer.drain(shape);
                rates.add(drained.perSecond());
                busy.add(busyPercent(drained));
                Say.progress("W7 %d nodes run %d: %,.0f/s", count, round, drained.perSecond());
            }
            String variant = count == 1 ? "1 node" : count + " nodes";
            add(stage, variant, "messages_per_second", rates);
            add(stage, variant, "machine_busy_percent", busy);
            double rate = Sample.of(rates).median();
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
                                        Sample.of(busy).median()),
                                LINEAR,
                                rate / (count * alone)));
            }
        }
    }

    /** All nodes and the database share this machine: without an idle core, another node can't help. */
    private static double busyPercent(Drained drained) {
        double cpuSeconds =
                (drained.cost().applicationCpuMillis() + drained.cost().databaseCpuMillis())
                        * drained.messages()
                        / 1000;
        return 100 * cpuSeconds / drained.seconds() / Runtime.getRuntime().availableProcessors();
    }

    private void add(Stage stage, String variant, String metric, List<Double> values) {
        stage.report()
                .add(new Result(id(), variant, "outboxed", stage.database().id(), metric, Sample.of(values), null));
    }
}
