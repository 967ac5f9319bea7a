package io.outboxed.internal.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedTest {

    @Test
    void only_one_is_singular() {
        assertThat(Counted.of(0, "row")).isEqualTo("0 rows");
        assertThat(Counted.of(1, "row")).isEqualTo("1 row");
        assertThat(Counted.of(1_000_000, "row")).isEqualTo("1,000,000 rows");
        assertThat(Counted.of(1, "delivery was", "deliveries were")).isEqualTo("1 delivery was");
        assertThat(Counted.of(2, "delivery was", "deliveries were")).isEqualTo("2 deliveries were");
    }
}
