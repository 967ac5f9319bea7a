package io.outboxed.internal.relay;

import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.spi.FailureClassifier;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The handlers of this deployment. Thread-safe. */
public interface HandlerInvoker {
    /** What one worker has under way of a forwarder that does not say otherwise. */
    int MOST_TOGETHER = 128;

    /** All handlers of this deployment; a handler of any type is here once, under {@link HandlerKey#ANY_TYPE}. */
    Set<HandlerKey> all();

    default boolean knows(HandlerKey handler) {
        return all().contains(handler) || all().contains(handler.ofAnyType());
    }

    /**
     * The group within which the handler sees an aggregate's events in order.
     *
     * @throws IllegalArgumentException for a handler that this deployment does not know
     */
    String group(HandlerKey handler);

    /** What this deployment registers. */
    default List<HandlerRegistration> registrations() {
        return all().stream()
                .map(key -> new HandlerRegistration(key.type(), key.handler(), group(key)))
                .toList();
    }

    /** @throws IllegalArgumentException for a handler that this deployment does not know */
    HandlerMode mode(HandlerKey handler);

    /**
     * Calls this handler, and only this one, on this thread. An exception of the handler becomes part of the outcome.
     * The thread is left without an interrupt flag, a transaction or a timeout.
     *
     * @throws IllegalArgumentException for a handler that this deployment does not know
     */
    Outcome deliver(Delivery delivery);

    /**
     * Calls this {@link HandlerMode#BATCHED} handler once with several messages of one aggregate, in one transaction.
     *
     * @param deliveries of new messages in their order, two or more; the outcome is that of each
     * @throws IllegalArgumentException for a handler that this deployment does not know
     */
    default Outcome deliverTogether(List<Delivery> deliveries) {
        throw new IllegalArgumentException(deliveries.get(0).key() + " takes one event at a time");
    }

    /**
     * How many deliveries of this forwarder one worker begins before it waits for the end of the first.
     *
     * @throws IllegalArgumentException for a handler that this deployment does not know
     */
    default int mostTogether(HandlerKey handler) {
        return MOST_TOGETHER;
    }

    /**
     * Whose outage is noticed by failures of this handler: its own, or for a forwarder that of the message's
     * receiver, which may depend on the types of the event and of its aggregate.
     *
     * @throws IllegalArgumentException for a handler that this deployment does not know
     */
    default String circuit(MessageHead message, String handler) {
        if (!mode(new HandlerKey(message.type(), handler)).isForwarder()) {
            return handler;
        }
        String events = handler + " of " + message.type();
        return message.aggregateType().isEmpty() ? events : events + " of " + message.aggregateType();
    }

    /**
     * Begins the delivery of a forwarder. What is returned waits for its end, on the same thread; it has not
     * begun if the lease ended before anything was sent.
     *
     * @param lease under which it begins; the caller has just found it valid
     * @param isValid whether a lease is valid now; for any thread
     * @throws IllegalArgumentException for a handler that this deployment does not know
     */
    default Supplier<Outcome> begin(Delivery delivery, Lease lease, Predicate<Lease> isValid) {
        Outcome outcome = deliver(delivery);
        return () -> outcome;
    }

    /** Classifies a failure; never throws. */
    FailureClassifier.Verdict classify(Delivery delivery, Throwable failure);
}
