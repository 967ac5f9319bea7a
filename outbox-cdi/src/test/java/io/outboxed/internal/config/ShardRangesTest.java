package io.outboxed.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardRangesTest {

    @Test
    void ranges_and_single_numbers_are_shown_as_short_as_possible() {
        assertThat(ShardRanges.parse("63, 0-2,1,  4 ").map(ShardRanges::show)).contains("0-2,4,63");
        assertThat(ShardRanges.parse("0-63").orElseThrow()).hasSize(64);
        assertThat(ShardRanges.show(Set.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"64", "0-64", "2-1", "-1", "1-", "1,,2", "1,", "a", "0-1-2", "1.5"})
    void anything_else_is_refused(String text) {
        assertThat(ShardRanges.parse(text)).isEmpty();
    }
}
