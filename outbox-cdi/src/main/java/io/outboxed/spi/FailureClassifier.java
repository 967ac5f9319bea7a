package io.outboxed.spi;

import io.outboxed.OutboxMessage;

/**
 * Decides what a handler's failure means. An application provides one as a CDI bean; without one, {@code
 * PermanentFailureException} and messages that can't be read are dead, an open circuit and a full bulkhead are deferred,
 * and everything else is retried. Called on a relay thread without a transaction; must not block.
 */
@FunctionalInterface
public interface FailureClassifier {

    /** What happens next. */
    enum Verdict {
        /** Try again after a backoff; after the last attempt a dead letter. */
        RETRY,
        /** A dead letter now. */
        DEAD,
        /** Try again later without counting an attempt. */
        DEFER
    }

    /** @param failure what the handler threw, without the container's wrappers */
    Verdict classify(OutboxMessage message, String handler, Throwable failure);
}
