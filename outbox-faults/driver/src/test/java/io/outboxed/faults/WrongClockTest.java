package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only with -Pfaults: libfaketime may not be installed. */
@Tag("system")
class WrongClockTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void a_process_with_a_wrong_clock_is_an_hour_behind_or_ahead(long seed) throws IOException {
        Duration off = WrongClock.off(seed);
        Optional<Path> library = WrongClock.library();
        assumeThat(library).as("libfaketime").isPresent();
        ProcessBuilder date = new ProcessBuilder("date", "+%s");
        date.environment().putAll(WrongClock.environment(library.orElseThrow(), off));
        String printed = new String(date.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        long ahead = Long.parseLong(printed.strip()) - Instant.now().getEpochSecond();

        assertThat(ahead).isCloseTo(off.toSeconds(), within(60L));
        assertThat(off).isEqualTo(Duration.ofHours(seed == 1 ? -1 : 1));
    }
}
