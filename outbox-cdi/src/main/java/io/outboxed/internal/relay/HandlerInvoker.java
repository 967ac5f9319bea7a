package io.outboxed.internal.relay;

import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.HandlerRegistration;
import io.outboxed.spi.FailureClassifier;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The handlers of this deployment, as the relay sees them. Thread-safe. */
public interface HandlerInvoker {

    /** All handlers of this deployment. */
    Set<HandlerKey> all();

    default boolean knows(HandlerKey handler) {
        return all().contains(handler);
    }

    /**
     * Within which an aggregate's events are in order.
     *
     * @throws IllegalArgumentException for a handler that this deployment does not know
     */
    String group(HandlerKey handler);

    /** What this deployment announces. */
    default List<HandlerRegistration> registrations() {
        return all().stream()
                .map(key -> new HandlerRegistration(key.type(), key.handler(), group(key)))
                .toList();
    }

    /** @throws IllegalArgumentException for a handler that this deployment does not know */
    HandlerMode mode(HandlerKey handler);

    default boolean isOutside(HandlerKey handler) {
        return mode(handler) == HandlerMode.OUTSIDE;
    }

    /**
     * Calls the handler on this thread, alone. Whatever the handler throws is in the outcome; the thread is left without an
     * interrupt flag, a transaction or a timeout.
     *
     * @throws IllegalArgumentException for a handler that this deployment does not know
     */
    Outcome deliver(Delivery delivery);

    /** What a failure means; never throws. */
    FailureClassifier.Verdict classify(Delivery delivery, Throwable failure);

    /** Tells the application of a stored dead letter, as it is stored; never throws. */
    void dead(UUID messageId, String handler);
}
