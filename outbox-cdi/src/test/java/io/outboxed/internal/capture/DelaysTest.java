package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.PublishOptions;
import io.outboxed.internal.capture.CaptureFixture.Placed;
import io.outboxed.internal.capture.CaptureFixture.Tick;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.store.LaneHash;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelaysTest {

    private final CaptureFixture door = new CaptureFixture();

    @Test
    void a_delayed_event_stands_alone_and_is_rounded_up_to_microseconds() {
        OutboxRow row = door.stored(
                new Placed("o-1", null),
                PublishOptions.none().delay(Duration.ofSeconds(2).plusNanos(1)));

        assertThat(row.delayMicros()).isEqualTo(2_000_001);
        assertThat(row.lane()).isEqualTo(LaneHash.lane(row.id()));
        assertThat(row.aggregateId()).isEqualTo("o-1");
    }

    @Test
    void delays_outside_a_year_are_refused() {
        door.refused(new Tick(1), PublishOptions.none().delay(Duration.ofNanos(-1)), "OUTBOX-0108");
        door.refused(
                new Tick(1), PublishOptions.none().delay(Duration.ofDays(365).plusNanos(1)), "OUTBOX-0108");
        door.refused(new Tick(1), PublishOptions.none().delay(Duration.ofSeconds(Long.MAX_VALUE)), "OUTBOX-0108");
        assertThat(door.stored(new Tick(1), PublishOptions.none().delay(Duration.ofDays(365)))
                        .delayMicros())
                .isEqualTo(365L * 86_400_000_000L);
    }

    @Test
    void an_instant_becomes_a_delay_by_the_clock_of_the_database_when_the_row_is_written() {
        door.databaseNow = micros(Instant.now().minus(Duration.ofDays(3)));
        Instant inAnHour = Instant.now().plusSeconds(3600);

        OutboxRow row =
                door.stored(new Placed("o-1", null), PublishOptions.none().notBefore(inAnHour.plusNanos(1)));

        assertThat(row.delayMicros()).isEqualTo(micros(inAnHour.plusNanos(1)) - door.databaseNow);
        assertThat(row.lane()).as("it stands alone").isEqualTo(LaneHash.lane(row.id()));
    }

    @Test
    void of_a_delay_and_an_instant_the_later_one_counts_and_an_instant_that_has_passed_is_now() {
        Instant databaseNow = Instant.ofEpochSecond(1_700_000_000);
        PublishOptions inTenSeconds = PublishOptions.none().notBefore(databaseNow.plusSeconds(10));

        assertThat(door.stored(new Tick(1), inTenSeconds.delay(Duration.ofSeconds(7)))
                        .delayMicros())
                .isEqualTo(10_000_000);
        assertThat(door.stored(new Tick(1), inTenSeconds.delay(Duration.ofSeconds(12)))
                        .delayMicros())
                .isEqualTo(12_000_000);
        for (Instant past : List.of(databaseNow.minusSeconds(1), Instant.EPOCH.minusNanos(1), Instant.MIN)) {
            assertThat(door.stored(new Tick(1), PublishOptions.none().notBefore(past))
                            .delayMicros())
                    .isZero();
        }
    }

    @Test
    void instants_more_than_a_year_ahead_are_refused() {
        door.refused(new Tick(1), PublishOptions.none().notBefore(Instant.MAX), "OUTBOX-0108");
        Instant tooLate = Instant.now().plus(Duration.ofDays(366));
        door.refused(new Tick(1), PublishOptions.none().notBefore(tooLate), "OUTBOX-0108")
                .hasMessageContaining("tick is scheduled for " + tooLate);
    }

    private static long micros(Instant instant) {
        return (instant.getEpochSecond() * 1_000_000_000 + instant.getNano() + 999) / 1000;
    }
}
