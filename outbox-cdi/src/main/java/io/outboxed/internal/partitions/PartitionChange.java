package io.outboxed.internal.partitions;

/** One change of the history's partitions. */
public sealed interface PartitionChange {
    HistoryPartition partition();

    /** Creates it, with the rows of its time that are in the tail. */
    record Add(HistoryPartition partition) implements PartitionChange {}

    /** Deletes it and all its rows. */
    record Drop(HistoryPartition partition) implements PartitionChange {}
}
