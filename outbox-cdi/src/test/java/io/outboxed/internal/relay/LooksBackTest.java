package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LooksBackTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final LooksBack looks = new LooksBack(0);

    @Test
    void a_look_is_due_each_half_second() {
        assertThat(looks.due(499 * MILLI)).isFalse();
        assertThat(looks.due(500 * MILLI)).isTrue();
        looks.took(25 * MILLI);

        assertThat(looks.due(999 * MILLI)).isFalse();
        assertThat(looks.due(1000 * MILLI)).isTrue();
    }

    @Test
    void parts_of_a_look_that_take_long_together_postpone_the_next_one() {
        looks.took(40 * MILLI);
        looks.took(60 * MILLI);

        assertThat(looks.due(1999 * MILLI)).isFalse();
        assertThat(looks.due(2000 * MILLI)).isTrue();
        assertThat(looks.due(2500 * MILLI)).as("forgotten by then").isTrue();
    }
}
