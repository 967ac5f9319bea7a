package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LengthTest {
    private static final Duration ROLLING = Duration.ofSeconds(50);

    @Test
    void a_short_run_ends_in_time_but_for_what_did_not_occur_yet() {
        Length length = new Length(Duration.ofMinutes(2), false);
        assertThat(length.isOver(Duration.ofSeconds(119), ROLLING)).isFalse();
        assertThat(length.isOver(Duration.ofSeconds(121), ROLLING)).isTrue();
        assertThat(length.isOvertimeOver(Duration.ofSeconds(349), ROLLING)).isFalse();
        assertThat(length.isOvertimeOver(Duration.ofSeconds(351), ROLLING)).isTrue();
    }

    @Test
    void a_long_run_has_more_time_for_what_did_not_occur_yet() {
        Length length = new Length(Duration.ofMinutes(20), true);
        assertThat(length.isOver(Duration.ofSeconds(1249), ROLLING)).isFalse();
        assertThat(length.isOver(Duration.ofSeconds(1251), ROLLING)).isTrue();
        assertThat(length.isOvertimeOver(Duration.ofSeconds(1309), ROLLING)).isFalse();
        assertThat(length.isOvertimeOver(Duration.ofSeconds(1311), ROLLING)).isTrue();
    }
}
