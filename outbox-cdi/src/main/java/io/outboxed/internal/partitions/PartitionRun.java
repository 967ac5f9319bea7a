package io.outboxed.internal.partitions;

import java.util.List;

/** How a run of the maintainer ended. What it did before is never undone. */
public sealed interface PartitionRun {
    /** The changes that were made, as SQL. */
    List<String> statements();

    /** All is as it should be. */
    record Done(List<String> statements) implements PartitionRun {}

    /** Another session is doing this now. */
    record Busy() implements PartitionRun {
        @Override
        public List<String> statements() {
            return List.of();
        }
    }

    /** A transaction that uses the history did not end in time. The next run tries again. */
    record Postponed(List<String> statements, String next) implements PartitionRun {}

    /**
     * The tail has too many rows, or too large ones, to add all partitions without a pause; old ones were dropped
     * nevertheless.
     */
    record TailTooLong(List<String> statements, long rows) implements PartitionRun {}
}
