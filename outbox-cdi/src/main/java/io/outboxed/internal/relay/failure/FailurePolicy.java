package io.outboxed.internal.relay.failure;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.Resolution;
import io.outboxed.spi.FailureClassifier;
import java.util.function.DoubleSupplier;

/** Decides what follows from a failure: another attempt and its delay, or a dead letter. */
public final class FailurePolicy {
    private final OutboxConfig config;
    private final DoubleSupplier random;
    private final DeferralPacing pacing;

    /** @param random for jitter, 0 to 1 */
    public FailurePolicy(OutboxConfig config, DoubleSupplier random, DeferralPacing pacing) {
        this.config = config;
        this.random = random;
        this.pacing = pacing;
    }

    /**
     * @param handlerIsDown the handler fails for several aggregates, so its failures do not count
     * @return what is to be stored
     */
    public Resolution resolve(Failure failure, FailureClassifier.Verdict kind, boolean handlerIsDown) {
        int attempt = failure.attemptsBefore() + 1;
        if (kind == FailureClassifier.Verdict.DEAD) {
            return dead(failure.type(), failure.handler(), failure.group(), attempt, failure.error());
        }
        if (kind == FailureClassifier.Verdict.DEFER || handlerIsDown) {
            return failure.retry(failure.attemptsBefore(), pacing.delayMicros(failure.handler()));
        }
        OutboxConfig.Retry retry = config.retryFor(failure.type(), failure.handler());
        if (attempt >= retry.maxAttempts()) {
            return dead(failure.type(), failure.handler(), failure.group(), attempt, failure.error());
        }
        return failure.retry(attempt, new Backoff(retry, random).after(attempt).toNanos() / 1000);
    }

    /** A dead letter: no further attempts. */
    public Resolution dead(String type, String handler, String group, int attempts, String error) {
        return config.blocksOnDeadLetter(type, handler)
                ? new Resolution.Blocked(handler, group, attempts, error)
                : new Resolution.Dead(handler, group, attempts, error);
    }

    /** @param attemptsBefore counted attempts before this one */
    public record Failure(String type, String handler, String group, int attemptsBefore, String error) {

        private Resolution retry(int attempts, long delayMicros) {
            return new Resolution.Retry(handler, group, attempts, error, delayMicros);
        }
    }
}
