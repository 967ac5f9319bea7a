package io.outboxed.internal.relay.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void grows_by_the_multiplier_up_to_the_maximum() {
        Backoff backoff = new Backoff(policy(false), () -> 0.5);

        assertThat(backoff.after(1)).isEqualTo(Duration.ofMillis(100));
        assertThat(backoff.after(2)).isEqualTo(Duration.ofMillis(300));
        assertThat(backoff.after(3)).isEqualTo(Duration.ofMillis(900));
        assertThat(backoff.after(4)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void stays_at_the_maximum_however_many_tries_there_were() {
        assertThat(new Backoff(policy(false), () -> 0).after(100_000)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void jitter_spreads_over_the_whole_delay() {
        assertThat(new Backoff(policy(true), () -> 0.0).after(3)).isEqualTo(Duration.ZERO);
        assertThat(new Backoff(policy(true), () -> 0.5).after(3)).isEqualTo(Duration.ofMillis(450));
    }

    private static OutboxConfig.Retry policy(boolean jitter) {
        return new OutboxConfig.Retry(10, Duration.ofMillis(100), 3.0, Duration.ofSeconds(1), jitter);
    }
}
