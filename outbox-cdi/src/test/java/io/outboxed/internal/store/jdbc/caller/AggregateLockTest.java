package io.outboxed.internal.store.jdbc.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AggregateLockTest {

    /** Nodes of two versions have to lock the same row. */
    @Test
    void the_row_of_an_aggregate_never_changes() {
        assertThat(AggregateLock.slot("o-1")).isEqualTo(907);
        assertThat(AggregateLock.slot("a-1")).isEqualTo(464);
        assertThat(AggregateLock.slot("Grüße")).isEqualTo(163);
    }

    @Test
    void aggregates_are_spread_over_all_rows() {
        assertThat(IntStream.range(0, 10_000)
                        .mapToObj(i -> AggregateLock.slot("order-" + i))
                        .collect(Collectors.toSet()))
                .hasSizeGreaterThan(1000)
                .allMatch(slot -> slot >= 0 && slot < AggregateLock.SLOTS);
    }
}
