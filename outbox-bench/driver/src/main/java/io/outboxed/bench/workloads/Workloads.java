package io.outboxed.bench.workloads;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All workloads. */
public final class Workloads {
    private static final List<Workload> ALL = List.of(
            new DrainOutside(),
            new DrainTransactional(),
            new Enqueue(),
            new Latency(),
            new Growth(),
            new HotAggregate(),
            new Nodes(),
            new HeldSnapshot(),
            new Payloads(),
            new Poison(),
            new LongHistory());

    private Workloads() {}

    /** The headings on the page, by workload. */
    public static Map<String, String> titles() {
        Map<String, String> titles = new LinkedHashMap<>();
        ALL.stream()
                .sorted(Comparator.comparing(Workload::id))
                .forEach(workload -> titles.put(workload.id(), workload.what()));
        return titles;
    }

    /** @throws IllegalArgumentException if there is none with this id */
    public static Workload named(String id) {
        return ALL.stream()
                .filter(workload -> workload.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("bench.workloads names '" + id + "'; there are "
                        + String.join(", ", ALL.stream().map(Workload::id).toList())));
    }
}
