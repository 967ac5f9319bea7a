package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** The lag is measured by the database's clock, however wrong this node's clocks are. */
class DatabaseClockTest {
    private static final Duration SKEW = Duration.ofHours(2);

    private long nanos = Duration.ofDays(1).toNanos();
    private long databaseMicros =
            ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().minus(SKEW));
    private long questionTakes;
    private final DatabaseClock clock = new DatabaseClock(
            new MemoryStore(() -> {
                        pass(Duration.ofNanos(questionTakes / 2));
                        long answer = databaseMicros;
                        pass(Duration.ofNanos(questionTakes / 2));
                        return answer;
                    })
                    .statistics(),
            () -> nanos);

    @Test
    void before_the_first_answer_the_lag_is_unknown() {
        assertThat(clock.since(Instant.now())).isEmpty();
    }

    @Test
    void a_database_two_hours_behind_does_not_show_in_the_lag() {
        Instant stored = databaseNow();
        clock.ask();
        pass(Duration.ofMillis(250));

        assertThat(clock.since(stored)).hasValue(Duration.ofMillis(250).toNanos());
    }

    @Test
    void what_is_stored_after_the_question_is_measured_as_well() {
        clock.ask();
        pass(Duration.ofSeconds(10));
        Instant stored = databaseNow();
        pass(Duration.ofSeconds(1));

        assertThat(clock.since(stored)).hasValue(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void half_of_the_round_trip_is_subtracted() {
        questionTakes = Duration.ofMillis(40).toNanos();
        Instant stored = databaseNow();
        clock.ask();

        assertThat(clock.since(stored)).hasValue(Duration.ofMillis(40).toNanos());
    }

    @Test
    void a_slow_answer_does_not_replace_a_quick_one_until_that_is_old() {
        questionTakes = Duration.ofMillis(1).toNanos();
        clock.ask();
        questionTakes = Duration.ofSeconds(4).toNanos();
        databaseMicros += Duration.ofHours(1).toMillis() * 1000;
        clock.ask();
        assertThat(clock.since(databaseNow())).as("as of the quick answer").hasValue(0);

        pass(Duration.ofMinutes(3));
        clock.ask();
        pass(Duration.ofSeconds(1));
        assertThat(clock.since(databaseNow())).hasValue(0);
        assertThat(clock.since(databaseNow().minusSeconds(7)))
                .hasValue(Duration.ofSeconds(7).toNanos());
    }

    @Test
    void what_is_due_in_the_future_has_no_lag() {
        clock.ask();

        assertThat(clock.since(databaseNow().plusSeconds(60))).hasValue(0);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        databaseMicros += time.toNanos() / 1000;
    }

    private Instant databaseNow() {
        return Instant.EPOCH.plus(databaseMicros, ChronoUnit.MICROS);
    }
}
