package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DutyCycleTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final DutyCycle cycle = new DutyCycle(Duration.ofMillis(500), 20, 0);

    @Test
    void quick_work_is_due_after_each_interval() {
        assertThat(cycle.begin(499 * MILLI)).isFalse();
        assertThat(cycle.begin(500 * MILLI)).isTrue();
        cycle.took(25 * MILLI);

        assertThat(cycle.begin(999 * MILLI)).isFalse();
        assertThat(cycle.begin(1000 * MILLI)).isTrue();
    }

    @Test
    void what_a_long_interval_has_missed_may_be_made_up_for_and_what_took_long_counts_as_one() {
        assertThat(cycle.runsDue(499 * MILLI)).isZero();
        assertThat(cycle.runsDue(1_700 * MILLI)).isEqualTo(3);
        cycle.took(500 * MILLI);

        assertThat(cycle.runsDue(11_600 * MILLI)).isZero();
        assertThat(cycle.runsDue(11_700 * MILLI)).isEqualTo(1);
    }

    @Test
    void without_an_interval_quick_work_is_always_due() {
        DutyCycle always = new DutyCycle(Duration.ZERO, 20, 0);
        assertThat(always.begin(0)).isTrue();
        assertThat(always.begin(0)).isTrue();
        always.took(5 * MILLI);

        assertThat(always.begin(99 * MILLI)).isFalse();
        assertThat(always.begin(100 * MILLI)).isTrue();
    }

    @Test
    void work_that_takes_long_in_all_its_parts_waits_for_its_share() {
        cycle.took(40 * MILLI);
        cycle.took(60 * MILLI);

        assertThat(cycle.begin(1999 * MILLI)).isFalse();
        assertThat(cycle.begin(2000 * MILLI)).isTrue();
        assertThat(cycle.begin(2500 * MILLI)).as("forgotten by then").isTrue();
    }

    @Test
    void work_that_may_have_stood_still_waits_half_a_minute_or_four_times_as_long_as_it_took() {
        cycle.took(5_000 * MILLI);
        assertThat(cycle.begin(29_999 * MILLI)).isFalse();
        assertThat(cycle.begin(30_000 * MILLI)).isTrue();

        cycle.took(20_000 * MILLI);
        assertThat(cycle.begin(109_999 * MILLI)).isFalse();
        assertThat(cycle.begin(110_000 * MILLI)).isTrue();
    }
}
