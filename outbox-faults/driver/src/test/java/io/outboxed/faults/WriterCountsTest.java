package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.WriterCounts.Count;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WriterCountsTest {

    @Test
    void the_transactions_of_all_nodes_are_added_up() {
        WriterCounts counts = WriterCounts.of(List.of("LOCKED 20 1\nBULK 3 0", "", "LOCKED 5 0\nTRANSFER 0 7"));
        assertThat(counts.kinds())
                .isEqualTo(Map.of("LOCKED", new Count(25, 1), "BULK", new Count(3, 0), "TRANSFER", new Count(0, 7)));
        assertThat(counts.kinds().get("LOCKED")).hasToString("25, 1");
    }
}
