package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {

    @Test
    void a_partition_between_two_dropped_ones_that_stays_is_in_no_range() {
        assertThat(words(drop(1), drop(2), drop(3), drop(5), drop(7), drop(8)))
                .isEqualTo("dropped p20250101 to p20250103, p20250105, p20250107 to p20250108");
    }

    @Test
    void what_is_created_and_dropped_is_named_apart() {
        assertThat(words(drop(1), add(4), add(5))).isEqualTo("created p20250104 to p20250105, dropped p20250101");
    }

    private static String words(PartitionChange... changes) {
        return PartitionProgress.made(List.of(changes)).words();
    }

    private static PartitionChange drop(int day) {
        return new PartitionChange.Drop(partition(day));
    }

    private static PartitionChange add(int day) {
        return new PartitionChange.Add(partition(day));
    }

    private static HistoryPartition partition(int day) {
        return new HistoryPartition("p2025010" + day, day, day + 1);
    }
}
