package io.outboxed.internal.relay.isolation;

import java.util.Collection;
import java.util.List;

/** In milliseconds. If nothing was measured, they meet no bar. */
record Latencies(double median, double p99, double longest) {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    static Latencies of(Collection<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.isEmpty()
                ? new Latencies(NEVER, NEVER, NEVER)
                : new Latencies(at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
    }

    @Override
    public String toString() {
        return Figures.duration(median) + ", " + Figures.duration(p99) + ", " + Figures.duration(longest);
    }

    private static double at(List<Long> sorted, double share) {
        int index = (int) Math.ceil(share * sorted.size()) - 1;
        return sorted.get(Math.max(0, index)) / 1e6;
    }
}
