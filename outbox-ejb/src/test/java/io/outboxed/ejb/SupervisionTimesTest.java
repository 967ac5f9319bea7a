package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * After the wall clock was set forward, WildFly's and Open Liberty's timers make up for the time. Open Liberty's also does
 * so after a tick that took long, and after a pause of the process.
 */
class SupervisionTimesTest {
    private static final long START = Long.MAX_VALUE - Duration.ofSeconds(2).toNanos();

    private final List<Long> supervisedAt = new ArrayList<>();
    private long millis;
    private final SupervisionTimes times = new SupervisionTimes(
            () -> supervisedAt.add(millis),
            () -> START + Duration.ofMillis(millis).toNanos(),
            () -> 0);

    @Test
    void a_thousand_ticks_at_once_count_as_one() {
        for (int i = 0; i < 1000; i++) {
            tickAt(1000);
        }

        assertThat(supervisedAt).containsExactly(1000L);
    }

    @Test
    void a_burst_that_lasts_is_one_tick_a_second() {
        for (int at = 1000; at < 61_000; at += 10) {
            tickAt(at);
        }

        assertThat(supervisedAt).hasSizeBetween(60, 61);
    }

    @Test
    void a_tick_that_is_late_does_not_cost_the_next_one() {
        List.of(1000, 2000, 3480, 4000, 5000, 6490, 7000).forEach(this::tickAt);

        assertThat(supervisedAt).hasSize(7);
    }

    @Test
    void after_a_tick_that_is_late_the_next_one_that_counts_comes_within_one_and_a_half_seconds() {
        for (int late = 0; late < 1000; late++) {
            int begun = late * 4000;
            tickAt(begun + 1000);
            tickAt(begun + 2000 + late);
            int before = supervisedAt.size();
            tickAt(begun + 3000);
            tickAt(begun + 4000);

            assertThat(supervisedAt.get(before - 1)).isEqualTo(begun + 2000 + late);
            assertThat(supervisedAt.get(before)).isLessThanOrEqualTo(begun + 2000 + late + 1500);
        }
    }

    @Test
    void ticks_go_on_at_once_after_a_pause_of_the_process() {
        List.of(1000, 31_000, 31_001, 31_002, 32_000, 33_000).forEach(this::tickAt);

        assertThat(supervisedAt).containsExactly(1000L, 31_000L, 32_000L, 33_000L);
    }

    private void tickAt(int at) {
        millis = at;
        times.timerTicks();
    }
}
