package io.outboxed.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurationsTest {

    @Test
    void both_spellings_are_understood() {
        assertThat(Durations.parse("500ms")).contains(Duration.ofMillis(500));
        assertThat(Durations.parse("10s")).contains(Duration.ofSeconds(10));
        assertThat(Durations.parse("2m")).contains(Duration.ofMinutes(2));
        assertThat(Durations.parse("1h")).contains(Duration.ofHours(1));
        assertThat(Durations.parse("1d")).contains(Duration.ofDays(1));
        assertThat(Durations.parse("PT1.5S")).contains(Duration.ofMillis(1500));
        assertThat(Durations.parse("0")).contains(Duration.ZERO);
    }

    @Test
    void anything_else_is_not_a_duration() {
        for (String text : List.of("", "10", "s", "-1s", "1.5s", "10 s", "5min", "999999999999999d", "PT")) {
            assertThat(Durations.parse(text)).as(text).isEmpty();
        }
    }

    @Test
    void a_duration_is_shown_in_its_largest_whole_unit() {
        for (String text : List.of("0s", "1ms", "1500ms", "10s", "90s", "2m", "1h", "30d")) {
            assertThat(Durations.show(Durations.parse(text).orElseThrow())).isEqualTo(text);
        }
    }
}
