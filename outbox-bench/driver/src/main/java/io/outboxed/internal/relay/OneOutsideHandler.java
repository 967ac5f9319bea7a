package io.outboxed.internal.relay;

import io.outboxed.internal.store.HandlerKey;
import io.outboxed.spi.FailureClassifier;
import java.util.Set;
import java.util.UUID;

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

    @Override
    public void dead(UUID messageId, String handler) {
        throw new IllegalStateException("nothing dies in a benchmark, but " + handler + " gave up " + messageId);
    }
}
