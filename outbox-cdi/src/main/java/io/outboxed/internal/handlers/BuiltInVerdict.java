package io.outboxed.internal.handlers;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.handlers.invocation.RefusedCall;
import io.outboxed.internal.handlers.invocation.UnreadableMessageException;
import io.outboxed.spi.FailureClassifier.Verdict;

/** What a failure means if the application does not decide otherwise. */
final class BuiltInVerdict {
    private BuiltInVerdict() {}

    static Verdict of(Throwable failure) {
        if (failure instanceof PermanentFailureException || failure instanceof UnreadableMessageException) {
            return Verdict.DEAD;
        }
        boolean notNow = failure instanceof DeferredDeliveryException || RefusedCall.is(failure);
        return notNow ? Verdict.DEFER : Verdict.RETRY;
    }
}
