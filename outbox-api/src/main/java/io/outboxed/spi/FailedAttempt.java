package io.outboxed.spi;

import io.outboxed.spi.FailureClassifier.Verdict;
import java.time.Duration;
import java.util.UUID;

/**
 * One failed attempt of one handler, and what follows from it. Contains neither the payload nor the headers.
 *
 * @param messageId the event's public id, the same as {@link io.outboxed.OutboxMessage#id()}
 * @param type the event's type, 1 to 128 characters
 * @param aggregateType the aggregate's type, empty if the event has none, never null
 * @param aggregateId the aggregate's identity, empty if the event has none, never null
 * @param handler the handler's name, see {@link io.outboxed.HandlerName}
 * @param attempt the number of the attempt, from 1
 * @param failure what the handler threw, or why its transaction failed, without the container's wrappers, never null
 * @param verdict what the failure means; if the node has lost the lease, it has no effect
 * @param counted whether the attempt counts towards {@code outbox.retry.max-attempts}; false if it was deferred, while
 *     the handler is down ({@code outbox.handler.down-after}), or if its node has lost the lease meanwhile
 * @param nextAttemptIn the shortest time until the next attempt, from the moment of the decision; null if there is
 *     none, because the delivery becomes a dead letter
 */
public record FailedAttempt(
        UUID messageId,
        String type,
        String aggregateType,
        String aggregateId,
        String handler,
        int attempt,
        Throwable failure,
        Verdict verdict,
        boolean counted,
        Duration nextAttemptIn) {

    /**
     * Whether this was the last attempt.
     *
     * @return true if the delivery becomes a dead letter
     */
    public boolean isDead() {
        return nextAttemptIn == null;
    }
}
