package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LengthTest {
    private static final Duration ROLLING = Duration.ofSeconds(50);

    private final Length length = new Length(Duration.ofMinutes(2));

    @Test
    void a_run_ends_in_time() {
        assertThat(length.isOver(Duration.ofSeconds(119))).isFalse();
        assertThat(length.isOver(Duration.ofSeconds(121))).isTrue();
    }

    @Test
    void what_did_not_occur_yet_has_three_more_minutes_and_the_time_of_a_rolling_restart() {
        assertThat(length.isOvertimeOver(Duration.ofSeconds(349), ROLLING)).isFalse();
        assertThat(length.isOvertimeOver(Duration.ofSeconds(351), ROLLING)).isTrue();
    }
}
