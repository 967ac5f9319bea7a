package io.outboxed.bench.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** The same figure from several runs. */
public record Sample(double median, double min, double max) {

    public static Sample of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no runs, no figure");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Sample(median(sorted), sorted[0], sorted[sorted.length - 1]);
    }

    /** The ratio for each run, whose two figures were measured one after the other; not the ratio of two medians. */
    public static Sample ofRatios(List<Double> above, List<Double> below) {
        Double[] ratios = new Double[Math.min(above.size(), below.size())];
        Arrays.setAll(ratios, i -> above.get(i) / below.get(i));
        return of(Arrays.asList(ratios));
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
