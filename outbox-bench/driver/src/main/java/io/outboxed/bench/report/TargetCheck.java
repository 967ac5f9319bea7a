package io.outboxed.bench.report;

import java.util.Locale;

/**
 * A target of a workload and the measured figure.
 *
 * @param atLeast true: the figure must not be below; false: not above
 */
public record TargetCheck(
        String workload, String database, String what, double wanted, double measured, boolean atLeast) {

    public static TargetCheck atLeast(String workload, String database, String what, double wanted, double measured) {
        return new TargetCheck(workload, database, what, wanted, measured, true);
    }

    public static TargetCheck atMost(String workload, String database, String what, double wanted, double measured) {
        return new TargetCheck(workload, database, what, wanted, measured, false);
    }

    public boolean met() {
        return atLeast ? measured >= wanted : measured <= wanted;
    }

    /** {@code 0.43, wanted at least 0.60: missed by 28 %}. */
    public String words() {
        String bound =
                String.format(Locale.ROOT, "%.3g, wanted at %s %.3g: ", measured, atLeast ? "least" : "most", wanted);
        if (met()) {
            return bound + "met";
        }
        double by = 100 * Math.abs(measured - wanted) / wanted;
        return bound + (by < 0.5 ? "missed by less than 1 %" : String.format(Locale.ROOT, "missed by %.0f %%", by));
    }
}
