package io.outboxed.internal.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class EpochMicrosTest {

    @Test
    void a_time_of_whole_microseconds_comes_back() {
        for (String text :
                new String[] {"1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z", "9999-12-31T00:00:00Z"}) {
            Instant time = Instant.parse(text);
            assertThat(EpochMicros.toInstant(EpochMicros.of(time))).isEqualTo(time);
        }
    }

    @Test
    void what_is_less_than_a_microsecond_is_cut_off() {
        assertThat(EpochMicros.of(Instant.ofEpochSecond(2, 1_999))).isEqualTo(2_000_001);
    }

    @Test
    void a_time_that_does_not_fit_becomes_the_nearest_one() {
        assertThat(EpochMicros.of(Instant.MAX)).isEqualTo(Long.MAX_VALUE);
        assertThat(EpochMicros.of(Instant.MIN)).isEqualTo(Long.MIN_VALUE);
        assertThat(EpochMicros.of(Instant.ofEpochSecond(Long.MAX_VALUE / 1_000_000, 999_999_999)))
                .as("its seconds would fit")
                .isEqualTo(Long.MAX_VALUE);
    }
}
