package io.outboxed.internal.relay.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandlerCircuitsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final HandlerCircuits health = new HandlerCircuits(10);

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

        assertThat(health.tryProbe("mail", 2 * SECOND, () -> true)).isTrue();
        assertThat(health.tryProbe("mail", 4 * SECOND, () -> true)).isFalse();
        health.failed("mail", 1, 5 * SECOND);
        assertThat(health.tryProbe("mail", 5 * SECOND + 1, () -> true)).isFalse();
        assertThat(health.tryProbe("mail", 6 * SECOND, () -> true)).isTrue();
    }

    @Test
    void a_probe_that_hangs_is_followed_by_another_after_a_minute() {
        bringDown();

        assertThat(health.tryProbe("mail", 2 * SECOND, () -> true)).isTrue();
        assertThat(health.tryProbe("mail", 61 * SECOND, () -> true)).isFalse();
        assertThat(health.tryProbe("mail", 62 * SECOND, () -> true)).isTrue();
    }

    @Test
    void a_successful_probe_brings_it_back() {
        bringDown();

        assertThat(health.succeeded("mail")).isTrue();
        assertThat(health.isDown("mail")).isFalse();
    }

    @Test
    void zero_switches_the_detection_off() {
        HandlerCircuits off = new HandlerCircuits(0);
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
