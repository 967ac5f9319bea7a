package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollIntervalTest {
    private static final long MILLI = 1_000_000;

    private final PollInterval pollInterval = new PollInterval(Duration.ofMillis(10), Duration.ofMillis(100), 0);

    @Test
    void polls_less_and_less_often_while_nothing_is_found_but_never_stops() {
        long now = 0;
        for (long wait : new long[] {20, 40, 80, 100, 100}) {
            assertThat(pollInterval.sweepDue(now)).isTrue();
            pollInterval.swept(now, false, MILLI);
            assertThat(pollInterval.untilSweep(now)).isEqualTo(wait * MILLI);
            now += wait * MILLI;
        }
    }

    @Test
    void polls_often_again_as_soon_as_something_is_found() {
        pollInterval.swept(0, false, MILLI);
        pollInterval.swept(0, false, MILLI);
        pollInterval.swept(0, true, MILLI);
        assertThat(pollInterval.untilSweep(0)).isEqualTo(10 * MILLI);
    }

    @Test
    void polls_often_for_a_second_after_the_last_find() {
        pollInterval.swept(0, true, MILLI);
        pollInterval.swept(999 * MILLI, false, MILLI);
        assertThat(pollInterval.untilSweep(999 * MILLI)).isEqualTo(10 * MILLI);
        pollInterval.swept(1000 * MILLI, false, MILLI);
        assertThat(pollInterval.untilSweep(1000 * MILLI)).isEqualTo(20 * MILLI);
    }

    @Test
    void a_slow_poll_is_repeated_less_often_but_no_less_often_than_configured() {
        pollInterval.swept(0, true, 15 * MILLI);
        assertThat(pollInterval.untilSweep(0)).isEqualTo(75 * MILLI);
        pollInterval.swept(0, true, 2000 * MILLI);
        assertThat(pollInterval.untilSweep(0)).isEqualTo(100 * MILLI);
    }
}
