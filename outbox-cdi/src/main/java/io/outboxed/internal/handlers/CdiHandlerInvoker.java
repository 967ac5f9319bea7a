package io.outboxed.internal.handlers;

import io.outboxed.DeadLetter;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.spi.FailureClassifier;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Set;

/** The door from the relay to the application's observers. */
@ApplicationScoped
class CdiHandlerInvoker implements HandlerInvoker {
    private final HandlersExtension discovery;
    private final ObserverInvocation call;
    private final Messages messages;
    private final Instance<FailureClassifier> classifier;
    private final Event<DeadLetter> deadLetters;

    @Inject
    CdiHandlerInvoker(
            HandlersExtension discovery,
            ObserverInvocation call,
            Messages messages,
            Instance<FailureClassifier> classifier,
            Event<DeadLetter> deadLetters) {
        this.discovery = discovery;
        this.call = call;
        this.messages = messages;
        this.classifier = classifier;
        this.deadLetters = deadLetters;
    }

    /** For the container's proxy. */
    CdiHandlerInvoker() {
        this(null, null, null, null, null);
    }

    @Override
    public Set<HandlerKey> all() {
        return discovery.handlers().keys();
    }

    @Override
    public String group(HandlerKey handler) {
        return discovery.handlers().get(handler).group();
    }

    @Override
    public HandlerMode mode(HandlerKey handler) {
        return discovery.handlers().get(handler).mode();
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        return call.call(discovery.handlers().get(delivery.key()), delivery);
    }

    @Override
    public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
        if (failure instanceof UnreadableMessageException) {
            return FailureClassifier.Verdict.DEAD;
        }
        try {
            FailureClassifier.Verdict verdict =
                    classifier().classify(messages.message(delivery), delivery.handler(), failure);
            if (verdict != null) {
                return verdict;
            }
            OutboxLog.classifierFailed(delivery.key(), delivery.body(), null);
        } catch (RuntimeException | Error e) {
            OutboxLog.classifierFailed(delivery.key(), delivery.body(), e);
        }
        return FailureClassifier.Verdict.RETRY;
    }

    private FailureClassifier classifier() {
        return classifier.isUnsatisfied() ? new DefaultFailureClassifier() : classifier.get();
    }

    @Override
    public void dead(DeadLetter letter) {
        try {
            deadLetters.fire(letter);
        } catch (RuntimeException | Error e) {
            OutboxLog.deadLetterObserverFailed(letter, e);
        }
    }
}
