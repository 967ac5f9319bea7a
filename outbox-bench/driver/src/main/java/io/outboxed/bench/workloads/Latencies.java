package io.outboxed.bench.workloads;

import io.outboxed.bench.report.Result;
import io.outboxed.bench.report.Sample;
import io.outboxed.bench.systems.Travel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** The latencies of several runs, to the commit and from it, and from the due time of the event. */
final class Latencies {
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(5);
    private static final int DIGITS = 3;
    private static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9);
    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<String, List<Double>> millis = new LinkedHashMap<>();

    void add(List<Travel> run) {
        if (run.isEmpty()) {
            return;
        }
        // the schedule is fixed in advance, so late publishers hide nothing: this includes what coordinated omission
        // would leave out
        add("due_to_handler", histogram(run, travel -> travel.handled() - travel.due()));
        add("due_to_commit", histogram(run, travel -> travel.committed() - travel.due()));
        add("commit_to_handler", histogram(run, travel -> travel.handled() - travel.committed()));
    }

    boolean isEmpty() {
        return millis.isEmpty();
    }

    private void add(String what, Histogram histogram) {
        for (double percentile : PERCENTILES) {
            String name = "p" + String.valueOf(percentile).replace(".0", "");
            add(what + "_" + name, histogram.getValueAtPercentile(percentile));
        }
        add(what + "_max", histogram.getMaxValue());
    }

    private void add(String metric, long nanos) {
        millis.computeIfAbsent(metric + "_ms", key -> new ArrayList<>()).add(nanos / NANOS_PER_MILLI);
    }

    /** A handler may have begun before the publisher read the clock itself. */
    private static Histogram histogram(List<Travel> run, ToLongFunction<Travel> nanos) {
        Histogram histogram = new Histogram(1, LONGEST, DIGITS);
        for (Travel travel : run) {
            histogram.recordValue(Math.min(LONGEST, Math.max(1, nanos.applyAsLong(travel))));
        }
        return histogram;
    }

    void report(Stage stage, String workload, String variant, String system) {
        millis.forEach((metric, values) -> stage.report()
                .add(new Result(workload, variant, system, stage.database().id(), metric, Sample.of(values), null)));
    }

    double median(String metric) {
        return Sample.of(millis.get(metric)).median();
    }
}
