package io.outboxed.internal.relay.failure;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.Resolution;
import io.outboxed.spi.FailedAttempt;
import io.outboxed.spi.FailureClassifier;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Describes a failed attempt to the application. */
public final class FailureReport {
    private FailureReport() {}

    public static FailedAttempt of(
            Delivery delivery, Throwable failure, FailureClassifier.Verdict verdict, Resolution resolution) {
        MessageBody body = delivery.body();
        return new FailedAttempt(
                body.id(),
                delivery.head().type(),
                textOf(body.aggregateType()),
                textOf(body.aggregateId()),
                delivery.handler(),
                delivery.attempt(),
                failure,
                verdict,
                resolution.attempts() == delivery.attempt(),
                resolution instanceof Resolution.Retry retry
                        ? Duration.of(retry.delayMicros(), ChronoUnit.MICROS)
                        : null);
    }

    private static String textOf(String value) {
        return value == null ? "" : value;
    }
}
