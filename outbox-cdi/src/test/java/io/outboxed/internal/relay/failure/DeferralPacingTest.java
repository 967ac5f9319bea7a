package io.outboxed.internal.relay.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeferralPacingTest {
    private static final long SHORTEST = TimeUnit.SECONDS.toMicros(5);

    private long now = Duration.ofHours(1).toNanos();
    private double random;
    private final DeferralPacing pacing = new DeferralPacing(Duration.ofSeconds(5), () -> now, () -> random);

    @Test
    void a_few_aggregates_wait_no_longer_than_they_have_to() {
        for (int i = 0; i < 100; i++) {
            assertThat(pacing.delayMicros("mail")).isEqualTo(SHORTEST);
            now += Duration.ofMillis(50).toNanos();
        }
    }

    @Test
    void many_come_one_after_the_other() {
        for (int i = 0; i < 100; i++) {
            assertThat(pacing.delayMicros("mail")).isEqualTo(SHORTEST + i * 10_000L);
        }
        assertThat(pacing.delayMicros("audit")).as("another handler").isEqualTo(SHORTEST);
    }

    @Test
    void those_that_would_wait_for_longer_than_a_minute_come_closer_together_but_never_at_once() {
        long before = 0;
        for (int i = 0; i < 300_000; i++) {
            long delay = pacing.delayMicros("mail");
            if (i > 0) {
                assertThat(delay - before).isEqualTo(before < TimeUnit.SECONDS.toMicros(60) ? 10_000 : 2_000);
            }
            before = delay;
        }
    }

    @Test
    void when_the_many_are_gone_so_is_the_delay() {
        for (int i = 0; i < 1_000; i++) {
            pacing.delayMicros("mail");
        }
        now += Duration.ofSeconds(20).toNanos();
        assertThat(pacing.delayMicros("mail")).isEqualTo(SHORTEST);
    }

    @Test
    void after_a_recovery_a_few_wait_no_longer_than_they_have_to() {
        for (int i = 0; i < 1_000; i++) {
            pacing.delayMicros("mail");
        }
        pacing.forget("mail");
        assertThat(pacing.delayMicros("mail")).isEqualTo(SHORTEST);
    }

    @Test
    void a_few_do_not_stay_together() {
        random = 0.4;
        assertThat(pacing.delayMicros("mail")).isEqualTo(TimeUnit.MILLISECONDS.toMicros(4_500));
        random = 1;
        assertThat(pacing.delayMicros("audit")).isEqualTo(TimeUnit.MILLISECONDS.toMicros(3_750));
    }
}
