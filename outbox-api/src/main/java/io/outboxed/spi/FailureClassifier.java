package io.outboxed.spi;

import io.outboxed.OutboxMessage;

/**
 * Decides what a handler's failure means. An application provides one as a CDI bean; several fail the deployment.
 * Without one, the built-in verdict applies: {@link io.outboxed.PermanentFailureException} is dead; calls that an open
 * circuit or a full bulkhead of MicroProfile Fault Tolerance refuses, or a rate limit of SmallRye, are deferred, and so
 * is an outage of the broker that {@code outbox-kafka} or {@code outbox-jms} forwards to; everything else is retried. A
 * classifier returns that verdict for every failure that it does not judge itself:
 *
 * <pre>{@code
 * public Verdict classify(OutboxMessage message, String handler, Throwable failure, Verdict builtIn) {
 *     return failure instanceof ConnectException ? Verdict.DEFER : builtIn;
 * }
 * }</pre>
 *
 * <p>Called on a relay thread, after the handler's transaction was rolled back, without a transaction and without a
 * request context. Must be thread-safe, and must not block, because all deliveries of the node wait for it.
 */
@FunctionalInterface
public interface FailureClassifier {

    /** What happens next. */
    enum Verdict {
        /**
         * Try again after a backoff ({@code outbox.retry.*}). The attempt counts; after {@code
         * outbox.retry.max-attempts} attempts the delivery becomes a dead letter. The failure also counts towards
         * {@code outbox.handler.down-after}.
         */
        RETRY,
        /** The delivery becomes a dead letter immediately. */
        DEAD,
        /**
         * Try again after {@code outbox.handler.defer-delay} without counting the attempt: something is unavailable.
         */
        DEFER
    }

    /**
     * Decides about one failed attempt. Not called for a payload that can't be read, which is always dead, nor for an
     * outage of a forwarder's broker, which is always deferred, nor for an attempt whose outcome is unknown, unless
     * that happens three times in a row.
     *
     * @param message the message, with the number of the attempt that failed; not null
     * @param handler the handler's name, see {@link io.outboxed.HandlerName}; not null
     * @param failure what the handler threw, without the container's wrappers; not null
     * @param builtIn the verdict without a classifier; not null
     * @return what happens next. Null counts as {@code builtIn} and is logged as {@code OUTBOX-0592}
     * @throws RuntimeException counts as {@code builtIn} and is logged as {@code OUTBOX-0592}
     */
    Verdict classify(OutboxMessage message, String handler, Throwable failure, Verdict builtIn);
}
