package io.outboxed.bench.workloads;

import java.util.List;

/** All there are. */
public final class Workloads {
    private static final List<Workload> ALL = List.of(new DrainOutside(), new DrainTransactional());

    private Workloads() {}

    /** @throws IllegalArgumentException if there is none of that id */
    public static Workload named(String id) {
        return ALL.stream()
                .filter(workload -> workload.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("bench.workloads names '" + id + "'; there are "
                        + String.join(", ", ALL.stream().map(Workload::id).toList())));
    }
}
