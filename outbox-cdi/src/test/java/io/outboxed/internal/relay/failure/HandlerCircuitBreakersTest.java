package io.outboxed.internal.relay.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandlerCircuitBreakersTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LANE = 1;
    private static final long OTHER = 2;
    private static final long THIRD = 3;

    private final HandlerCircuitBreakers health = new HandlerCircuitBreakers(10, Duration.ofSeconds(5));

    @Test
    void a_handler_that_fails_for_all_aggregates_is_down() {
        for (int i = 0; i < 9; i++) {
            assertThat(health.failed("mail", i, 0)).isFalse();
        }
        assertThat(health.failed("mail", 9, 0)).isTrue();
        assertThat(health.isDown("mail")).isTrue();
        assertThat(health.isDown("warehouse")).isFalse();
    }

    @Test
    void fewer_failures_than_aggregates_are_needed_are_enough_with_those_of_five_aggregates() {
        HandlerCircuitBreakers early = new HandlerCircuitBreakers(3, Duration.ofSeconds(5));
        for (int i = 0; i < 4; i++) {
            assertThat(early.failed("mail", i, 0)).isFalse();
        }
        assertThat(early.failed("mail", 4, 0)).isTrue();
    }

    @Test
    void a_few_poisoned_aggregates_do_not_make_it_down() {
        for (int i = 0; i < 100; i++) {
            health.failed("mail", i % 4, 0);
        }
        assertThat(health.isDown("mail")).isFalse();
    }

    @Test
    void one_success_among_the_failures_keeps_it_up() {
        for (int i = 0; i < 100; i++) {
            health.failed("mail", i, 0);
            if (i % 9 == 8) {
                health.succeeded("mail");
            }
        }
        assertThat(health.isDown("mail")).isFalse();
    }

    @Test
    void while_down_it_gets_one_probe_at_a_time() {
        bringDown();

        assertThat(health.tryProbe("mail", LANE, 2 * SECOND, () -> true)).isTrue();
        assertThat(health.tryProbe("mail", LANE, 4 * SECOND, () -> true)).isFalse();
        health.failed("mail", 1, 5 * SECOND);
        assertThat(health.tryProbe("mail", LANE, 5 * SECOND + 1, () -> true)).isFalse();
        assertThat(health.tryProbe("mail", LANE, 6 * SECOND, () -> true)).isTrue();
    }

    @Test
    void a_probe_that_hangs_is_followed_by_another_after_a_minute() {
        bringDown();

        assertThat(health.tryProbe("mail", LANE, 2 * SECOND, () -> true)).isTrue();
        assertThat(health.tryProbe("mail", LANE, 61 * SECOND, () -> true)).isFalse();
        assertThat(health.tryProbe("mail", LANE, 62 * SECOND, () -> true)).isTrue();
    }

    @Test
    void after_a_probe_that_said_nothing_another_aggregate_that_has_asked_comes_first() {
        bringDown();

        assertThat(health.tryProbe("mail", LANE, 2 * SECOND, () -> false)).isTrue();
        assertThat(health.tryProbe("mail", OTHER, 2 * SECOND + 1, () -> false)).isFalse();
        assertThat(health.tryProbe("mail", LANE, 3 * SECOND, () -> false)).isFalse();
        assertThat(health.tryProbe("mail", OTHER, 8 * SECOND, () -> false)).isTrue();
        assertThat(health.tryProbe("mail", LANE, 9 * SECOND, () -> false)).isTrue();
    }

    @Test
    void after_a_probe_that_failed_all_aggregates_that_have_asked_come_first() {
        bringDown();

        assertThat(health.tryProbe("mail", LANE, 2 * SECOND, () -> true)).isTrue();
        assertThat(health.tryProbe("mail", OTHER, 2 * SECOND + 1, () -> true)).isFalse();
        assertThat(health.tryProbe("mail", THIRD, 2 * SECOND + 2, () -> true)).isFalse();
        health.failed("mail", LANE, 3 * SECOND);
        assertThat(health.tryProbe("mail", LANE, 4 * SECOND, () -> true)).isFalse();
        assertThat(health.tryProbe("mail", THIRD, 7 * SECOND, () -> true)).isTrue();
        health.failed("mail", THIRD, 7 * SECOND);
        assertThat(health.tryProbe("mail", LANE, 9 * SECOND, () -> true)).isFalse();
        assertThat(health.tryProbe("mail", OTHER, 10 * SECOND, () -> true)).isTrue();
        health.failed("mail", OTHER, 10 * SECOND);
        assertThat(health.tryProbe("mail", LANE, 11 * SECOND, () -> true)).isTrue();
    }

    @Test
    void it_does_not_wait_for_longer_than_ten_seconds_for_an_aggregate_that_asks_no_more() {
        bringDown();

        assertThat(health.tryProbe("mail", LANE, 2 * SECOND, () -> false)).isTrue();
        assertThat(health.tryProbe("mail", OTHER, 2 * SECOND + 1, () -> false)).isFalse();
        assertThat(health.tryProbe("mail", LANE, 5 * SECOND, () -> false)).isTrue();
        assertThat(health.tryProbe("mail", LANE, 12 * SECOND, () -> false)).isFalse();
        assertThat(health.tryProbe("mail", LANE, 12 * SECOND + 1, () -> false)).isTrue();
    }

    @Test
    void an_aggregate_that_had_its_turn_has_one_more_in_the_round_if_no_other_probed_for_half_the_delay() {
        bringDown();

        assertThat(health.tryProbe("mail", LANE, 2 * SECOND, () -> false)).isTrue();
        assertThat(health.tryProbe("mail", OTHER, 2 * SECOND + 1, () -> false)).isFalse();
        assertThat(health.tryProbe("mail", LANE, 4 * SECOND, () -> false)).isFalse();
        assertThat(health.tryProbe("mail", LANE, 5 * SECOND, () -> false)).isTrue();
        assertThat(health.tryProbe("mail", OTHER, 5 * SECOND + 1, () -> false)).isFalse();
        assertThat(health.tryProbe("mail", LANE, 9 * SECOND, () -> false))
                .as("it does not take every turn")
                .isFalse();
        assertThat(health.tryProbe("mail", OTHER, 10 * SECOND, () -> false)).isTrue();
        assertThat(health.tryProbe("mail", LANE, 11 * SECOND, () -> false))
                .as("the next round")
                .isTrue();
    }

    @Test
    void an_aggregate_that_is_alone_may_ask_again_after_a_second() {
        bringDown();

        assertThat(health.tryProbe("mail", LANE, 2 * SECOND, () -> false)).isTrue();
        assertThat(health.tryProbe("mail", LANE, 3 * SECOND, () -> true)).isTrue();
        health.failed("mail", LANE, 4 * SECOND);
        assertThat(health.tryProbe("mail", LANE, 5 * SECOND, () -> false)).isTrue();
    }

    @Test
    void a_successful_probe_brings_it_back() {
        bringDown();

        assertThat(health.succeeded("mail")).isTrue();
        assertThat(health.isDown("mail")).isFalse();
    }

    @Test
    void zero_switches_the_detection_off() {
        HandlerCircuitBreakers off = new HandlerCircuitBreakers(0, Duration.ofSeconds(5));
        for (int i = 0; i < 100; i++) {
            off.failed("mail", i, 0);
        }
        assertThat(off.isDown("mail")).isFalse();
    }

    private void bringDown() {
        for (int i = 0; i < 10; i++) {
            health.failed("mail", i, 0);
        }
    }
}
