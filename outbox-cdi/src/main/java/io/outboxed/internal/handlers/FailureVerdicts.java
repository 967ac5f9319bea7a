package io.outboxed.internal.handlers;

import io.outboxed.internal.handlers.invocation.ApplicationCallback;
import io.outboxed.internal.handlers.invocation.Messages;
import io.outboxed.internal.handlers.invocation.UnreadableMessageException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.spi.FailureClassifier;
import io.outboxed.spi.FailureClassifier.Verdict;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;

/**
 * What a failure means: the built-in verdict, unless the application has a classifier that decides otherwise. It is not
 * asked about an outage of a broker, which must not use up the attempts of what is forwarded to it.
 */
@Dependent
class FailureVerdicts {
    private final Messages messages;
    private final Instance<FailureClassifier> bean;
    private final ApplicationCallback callback;
    private volatile FailureClassifier cached;

    @Inject
    FailureVerdicts(Messages messages, Instance<FailureClassifier> bean, ApplicationCallback callback) {
        this.messages = messages;
        this.bean = bean;
        this.callback = callback;
    }

    Verdict of(Delivery delivery, Throwable failure) {
        Verdict builtIn = BuiltInVerdict.of(failure);
        if (isFixed(failure) || bean.isUnsatisfied()) {
            return builtIn;
        }
        try {
            Verdict verdict = callback.call(
                    () -> classifier().classify(messages.message(delivery), delivery.handler(), failure, builtIn));
            if (verdict != null) {
                return verdict;
            }
            OutboxLog.classifierFailed(delivery.key(), delivery.body(), builtIn, null);
        } catch (Exception | Error e) {
            OutboxLog.classifierFailed(delivery.key(), delivery.body(), builtIn, e);
        }
        return builtIn;
    }

    private static boolean isFixed(Throwable failure) {
        return failure instanceof UnreadableMessageException || failure instanceof DeferredDeliveryException;
    }

    /** Cached, because each look-up creates a dependent one anew. */
    private FailureClassifier classifier() {
        if (cached == null) {
            cached = bean.get();
        }
        return cached;
    }
}
