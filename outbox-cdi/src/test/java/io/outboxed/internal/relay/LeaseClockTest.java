package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseClockTest {
    private static final long SECOND = 1_000_000_000;
    private static final Lease MINE = new Lease(1, "me", 1);

    private long now;
    private long wallMillis = 1_000_000;
    private final LeaseClock clock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> wallMillis);

    @Test
    void nothing_is_valid_before_the_first_beat() {
        assertThat(clock.isValid()).isFalse();
        assertThat(clock.isValid(MINE)).isFalse();
    }

    @Test
    void a_lease_is_trusted_for_less_than_others_wait_for_the_next_beat() {
        clock.beat(clock.stamp("me"));
        now = 8 * SECOND;
        assertThat(clock.isValid(MINE)).isTrue();
        now = 9 * SECOND;
        assertThat(clock.isValid(MINE)).isFalse();
    }

    @Test
    void a_beat_under_a_new_name_does_not_revive_the_leases_of_the_old_one() {
        clock.beat(clock.stamp("me, born again"));
        assertThat(clock.isValid()).isTrue();
        assertThat(clock.isValid(MINE)).isFalse();
    }

    @Test
    void a_lease_that_lapsed_while_the_machine_was_suspended_is_not_valid_though_the_monotonic_clock_stood_still() {
        clock.beat(clock.stamp("me"));
        wallMillis += 9_000;
        assertThat(clock.isValid(MINE)).isFalse();
        clock.beat(clock.stamp("me"));
        assertThat(clock.isValid(MINE)).isTrue();
    }

    @Test
    void a_beat_tells_whether_the_lease_before_it_has_ended() {
        assertThat(clock.beat(clock.stamp("me"))).as("the first one").isTrue();
        now = 5 * SECOND;
        assertThat(clock.beat(clock.stamp("me"))).isTrue();
        LeaseClock.Heartbeat slow = clock.stamp("me");
        now = 14 * SECOND;
        assertThat(clock.beat(slow)).as("its answer came too late").isFalse();
        now = 13 * SECOND;
        assertThat(clock.beat(clock.stamp("me, born again"))).isFalse();
    }

    @Test
    void a_wall_clock_that_is_set_back_changes_nothing() {
        clock.beat(clock.stamp("me"));
        wallMillis -= 3_600_000;
        now = 8 * SECOND;
        assertThat(clock.isValid(MINE)).isTrue();
        now = 9 * SECOND;
        assertThat(clock.isValid(MINE)).isFalse();
    }
}
