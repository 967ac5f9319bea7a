package io.outboxed.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CappedCountTest {
    private final CappedCount exact = new CappedCount(1, 1_000);
    private final CappedCount capped = new CappedCount(1_000, 1_000);

    @Test
    void a_number_at_its_limit_means_at_least() {
        assertThat(exact.number()).isEqualTo("1");
        assertThat(exact.of("row", "rows")).isEqualTo("1 row");
        assertThat(exact.begin("row waits", "rows wait")).isEqualTo("1 row waits");
        assertThat(capped.number()).isEqualTo("at least 1,000");
        assertThat(capped.of("row", "rows")).isEqualTo("at least 1,000 rows");
        assertThat(capped.begin("row waits", "rows wait")).isEqualTo("At least 1,000 rows wait");
    }

    @Test
    void a_limit_that_is_reached_anyway_is_exact() {
        assertThat(capped.upTo(1_000).number()).isEqualTo("1,000");
        assertThat(capped.upTo(10).number()).isEqualTo("10");
        assertThat(capped.upTo(1_001).number()).isEqualTo("at least 1,000");
        assertThat(exact.upTo(Integer.MAX_VALUE).number()).isEqualTo("1");
    }

    @Test
    void programs_get_the_names_of_the_lower_bounds() {
        Map<String, CappedCount> counts = new LinkedHashMap<>();
        counts.put("ready", capped);
        counts.put("dead", exact);
        assertThat(CappedCount.capped(counts)).containsExactly("ready");
    }
}
