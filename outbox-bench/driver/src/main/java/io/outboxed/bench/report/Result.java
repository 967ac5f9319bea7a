package io.outboxed.bench.report;

/**
 * One figure of one system.
 *
 * @param variant of the workload, for example {@code 8 threads}; empty if there is only one
 * @param metric for example {@code messages_per_second}
 * @param ratioToLimit the median of the runs' ratios to plain JDBC; null if there is none
 */
public record Result(
        String workload,
        String variant,
        String system,
        String database,
        String metric,
        Sample sample,
        Double ratioToLimit) {

    /** The metric's name with its variant, as in the RESULT line. */
    public String fullMetric() {
        return variant.isEmpty() ? metric : metric + "_" + variant.replaceAll("[^A-Za-z0-9.]+", "_");
    }
}
