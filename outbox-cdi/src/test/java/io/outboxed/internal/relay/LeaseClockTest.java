package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.Lease;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseClockTest {
    private static final long SECOND = 1_000_000_000;
    private static final Lease MINE = new Lease(1, "me", 1);

    private long now;
    private final LeaseClock clock = new LeaseClock(Duration.ofSeconds(10), () -> now);

    @Test
    void nothing_is_valid_before_the_first_beat() {
        assertThat(clock.isValid()).isFalse();
        assertThat(clock.isValid(MINE)).isFalse();
    }

    @Test
    void a_lease_is_trusted_for_less_than_others_wait_for_the_next_beat() {
        clock.beat("me", 0);
        now = 8 * SECOND;
        assertThat(clock.isValid(MINE)).isTrue();
        now = 9 * SECOND;
        assertThat(clock.isValid(MINE)).isFalse();
    }

    @Test
    void a_beat_under_a_new_name_does_not_revive_the_leases_of_the_old_one() {
        clock.beat("me, born again", 0);
        assertThat(clock.isValid()).isTrue();
        assertThat(clock.isValid(MINE)).isFalse();
    }

    @Test
    void after_a_jump_of_the_clocks_nothing_is_valid_until_the_next_beat() {
        clock.beat("me", 0);
        clock.distrust();
        assertThat(clock.isValid(MINE)).isFalse();
        clock.beat("me", 0);
        assertThat(clock.isValid(MINE)).isTrue();
    }
}
