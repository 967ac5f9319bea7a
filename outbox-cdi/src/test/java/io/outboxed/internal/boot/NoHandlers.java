package io.outboxed.internal.boot;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.spi.FailureClassifier;
import java.util.Set;

/** A deployment that handles nothing. */
final class NoHandlers implements HandlerInvoker {
    @Override
    public Set<HandlerKey> all() {
        return Set.of();
    }

    @Override
    public String group(HandlerKey handler) {
        throw new AssertionError(handler);
    }

    @Override
    public HandlerMode mode(HandlerKey handler) {
        throw new AssertionError(handler);
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        throw new AssertionError(delivery);
    }

    @Override
    public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
        throw new AssertionError(failure);
    }
}
