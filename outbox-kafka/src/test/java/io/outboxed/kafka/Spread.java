package io.outboxed.kafka;

import java.util.Collection;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A figure of several rounds, as a table shows it: the median, and the range in parentheses. */
final class Spread {
    private Spread() {}

    static <R> String of(Collection<R> rounds, ToDoubleFunction<R> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        String median = whole(sorted[sorted.length / 2]);
        return sorted.length == 1
                ? median
                : median + " (" + whole(sorted[0]) + " to " + whole(sorted[sorted.length - 1]) + ")";
    }

    private static String whole(double figure) {
        return String.format(Locale.ROOT, "%,.0f", figure);
    }
}
