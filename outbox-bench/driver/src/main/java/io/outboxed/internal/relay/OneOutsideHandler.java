package io.outboxed.internal.relay;

import io.outboxed.internal.store.HandlerKey;
import io.outboxed.spi.FailureClassifier;
import java.util.Set;

/** A deployment with handlers outside a transaction that are never called. */
record OneOutsideHandler(Set<HandlerKey> all) implements HandlerInvoker {

    @Override
    public String group(HandlerKey handler) {
        return handler.handler();
    }

    @Override
    public HandlerMode mode(HandlerKey handler) {
        return HandlerMode.OUTSIDE;
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        throw new IllegalStateException("the benchmark ends calls itself");
    }

    @Override
    public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
        return FailureClassifier.Verdict.RETRY;
    }
}
