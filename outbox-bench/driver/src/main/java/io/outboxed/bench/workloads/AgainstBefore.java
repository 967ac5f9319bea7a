package io.outboxed.bench.workloads;

import io.outboxed.bench.report.Result;
import io.outboxed.bench.report.Sample;
import io.outboxed.bench.report.TargetCheck;
import java.util.List;
import java.util.Locale;

/** Is this build as fast as the one that {@code bench.before} names? */
final class AgainstBefore {
    static final String BEFORE = "before";
    private static final double NOT_SLOWER = 0.95;

    private AgainstBefore() {}

    /** @param rates of the rounds, in their order: a round's two figures are divided */
    static void rates(Stage stage, String workload, String variant, List<Double> rates, List<Double> before) {
        Sample ratio = Sample.ofRatios(rates, before);
        stage.report()
                .add(new Result(workload, variant, "outboxed", stage.database().id(), "ratio_to_before", ratio, null));
        String what = String.format(
                Locale.ROOT,
                "%srate against the other build's, %d rounds, %.2f to %.2f",
                variant.isEmpty() ? "" : variant + ": ",
                Math.min(rates.size(), before.size()),
                ratio.min(),
                ratio.max());
        stage.report().add(TargetCheck.atLeast(workload, stage.database().id(), what, NOT_SLOWER, ratio.median()));
    }

    /** For figures of which less is better. */
    static void times(Stage stage, String workload, String variant, List<Double> times, List<Double> before) {
        rates(stage, workload, variant, before, times);
    }
}
