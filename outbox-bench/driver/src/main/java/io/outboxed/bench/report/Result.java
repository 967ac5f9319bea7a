package io.outboxed.bench.report;

/**
 * One figure of one system.
 *
 * @param variant which case of the workload, {@code 8 threads}; empty if it has one only
 * @param metric {@code messages_per_second}
 * @param ratioToLimit the median of the runs' ratios to plain JDBC; null where there is none
 */
public record Result(
        String workload,
        String variant,
        String system,
        String database,
        String metric,
        Sample sample,
        Double ratioToLimit) {

    /** The metric's name with its case, as the RESULT line has it. */
    public String fullMetric() {
        return variant.isEmpty() ? metric : metric + "_" + variant.replaceAll("[^A-Za-z0-9.]+", "_");
    }
}
