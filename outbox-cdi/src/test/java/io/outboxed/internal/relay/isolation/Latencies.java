package io.outboxed.internal.relay.isolation;

import java.util.Collection;
import java.util.List;

/** In milliseconds; all zero if there was none. */
record Latencies(double median, double p99, double longest) {

    static Latencies of(Collection<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.isEmpty()
                ? new Latencies(0, 0, 0)
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
