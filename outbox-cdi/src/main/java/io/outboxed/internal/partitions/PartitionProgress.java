package io.outboxed.internal.partitions;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * How far a run has come.
 *
 * @param made in their order
 * @param begun what the database may or may not have made; empty where a change can be undone
 */
public record PartitionProgress(List<PartitionChange> made, List<PartitionChange> begun) {

    static PartitionProgress beginning(List<PartitionChange> made, PartitionStep next) {
        return new PartitionProgress(List.copyOf(made), next.changes());
    }

    static PartitionProgress made(List<PartitionChange> made) {
        return new PartitionProgress(List.copyOf(made), List.of());
    }

    static PartitionProgress made(List<PartitionChange> before, PartitionStep last) {
        return made(Stream.concat(before.stream(), last.changes().stream()).toList());
    }

    /** Such as "created p20250303 to p20250310, dropped p20241203, p20241205 to p20241207". */
    public String words() {
        List<String> words = new ArrayList<>();
        add(words, "created ", made, PartitionChange.Add.class);
        add(words, "dropped ", made, PartitionChange.Drop.class);
        add(words, "begun to create ", begun, PartitionChange.Add.class);
        add(words, "begun to drop ", begun, PartitionChange.Drop.class);
        return words.isEmpty() ? "nothing was changed" : String.join(", ", words);
    }

    private static void add(
            List<String> words, String verb, List<PartitionChange> changes, Class<? extends PartitionChange> kind) {
        List<HistoryPartition> partitions = changes.stream()
                .filter(kind::isInstance)
                .map(PartitionChange::partition)
                .toList();
        List<String> ranges = new ArrayList<>();
        for (int first = 0, next; first < partitions.size(); first = next) {
            next = endOfRange(partitions, first);
            String last =
                    next == first + 1 ? "" : " to " + partitions.get(next - 1).name();
            ranges.add(partitions.get(first).name() + last);
        }
        if (!ranges.isEmpty()) {
            words.add(verb + String.join(", ", ranges));
        }
    }

    /** What is left out may be a partition that an administrator has moved away. */
    private static int endOfRange(List<HistoryPartition> partitions, int first) {
        int next = first + 1;
        while (next < partitions.size()
                && partitions.get(next - 1).to() == partitions.get(next).from()) {
            next++;
        }
        return next;
    }
}
