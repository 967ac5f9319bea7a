package io.outboxed.internal.partitions;

import java.util.List;

/**
 * Changes that are made together.
 *
 * @param statements in their order; several are one transaction
 */
record PartitionStep(List<PartitionChange> changes, List<String> statements) {

    static PartitionStep add(HistoryPartition added, List<String> statements) {
        return new PartitionStep(List.of(new PartitionChange.Add(added)), statements);
    }

    static PartitionStep add(List<HistoryPartition> added, List<String> statements) {
        return new PartitionStep(
                added.stream().<PartitionChange>map(PartitionChange.Add::new).toList(), statements);
    }

    static PartitionStep drop(HistoryPartition old, List<String> statements) {
        return new PartitionStep(List.of(new PartitionChange.Drop(old)), statements);
    }

    boolean adds() {
        return changes.stream().allMatch(PartitionChange.Add.class::isInstance);
    }

    String first() {
        return statements.get(0);
    }
}
