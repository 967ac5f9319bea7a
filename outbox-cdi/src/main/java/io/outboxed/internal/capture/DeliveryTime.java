package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import io.outboxed.internal.hibernate.OutboxRow;
import java.time.Duration;
import java.time.Instant;

/**
 * When an event may be delivered. Its row stores a delay, counted from {@code created_at} by the database's clock. An
 * instant becomes such a delay just before the row is written, by the same clock.
 */
final class DeliveryTime {
    private static final Duration MAX = Duration.ofDays(365);

    private DeliveryTime() {}

    /** In microseconds, rounded up. */
    static long delay(PublishOptions options, String type) {
        Duration delay = options.delay();
        if (delay.isNegative() || delay.compareTo(MAX) > 0) {
            throw new OutboxException(
                    "OUTBOX-0108",
                    "the delay of " + type + " is " + delay + ", expected PT0S to " + MAX.toDays() + " days");
        }
        return roundedUp(delay);
    }

    /** @return microseconds since 1970, rounded up; 0 if the options have no instant, or one that has long passed */
    static long notBefore(PublishOptions options, String type) {
        Instant instant = options.notBefore();
        if (instant == null || instant.isBefore(Instant.EPOCH)) {
            return 0;
        }
        Instant latest = Instant.now().plus(MAX);
        if (instant.isAfter(latest)) {
            throw new OutboxException(
                    "OUTBOX-0108",
                    "the delivery of " + type + " is scheduled for " + instant + ", the maximum is " + MAX.toDays()
                            + " days from now: " + latest);
        }
        return roundedUp(Duration.between(Instant.EPOCH, instant));
    }

    /** @param now of the database */
    static OutboxRow scheduled(OutboxRow row, long notBefore, long now) {
        return row.withDelay(Math.max(row.delayMicros(), notBefore - now));
    }

    private static long roundedUp(Duration duration) {
        return duration.plusNanos(999).toNanos() / 1000;
    }
}
