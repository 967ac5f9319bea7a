package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryRangeTest {

    @Test
    void a_history_of_few_partitions_is_read_at_once() {
        HistoryRange all = new HistoryRange(HistoryRange.BEGINNING, HistoryRange.END);

        assertThat(ranges(0)).containsExactly(all);
        assertThat(ranges(50)).containsExactly(all);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 51, 100, 101, 3601})
    void each_time_is_in_one_range_and_no_range_has_many_partitions(int partitions) {
        List<HistoryRange> ranges = ranges(partitions);
        long until = HistoryRange.END;
        for (HistoryRange range : ranges) {
            assertThat(range.until()).as("the latest comes first").isEqualTo(until);
            assertThat(begins(partitions))
                    .filteredOn(begin -> begin >= range.from() && begin < range.until())
                    .hasSizeLessThanOrEqualTo(HistoryRange.MOST_PARTITIONS);
            until = range.from();
        }
        assertThat(until).isEqualTo(HistoryRange.BEGINNING);
    }

    private static List<HistoryRange> ranges(int partitions) {
        return HistoryRange.of(begins(partitions));
    }

    private static List<Long> begins(int partitions) {
        return LongStream.range(0, partitions)
                .mapToObj(i -> i == 0 ? HistoryPartition.BEGINNING : i * 10)
                .toList();
    }
}
