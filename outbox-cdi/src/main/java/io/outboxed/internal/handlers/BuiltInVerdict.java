package io.outboxed.internal.handlers;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.handlers.invocation.UnreadableMessageException;
import io.outboxed.spi.FailureClassifier.Verdict;
import java.util.Set;

/** What a failure means if the application does not decide otherwise. */
final class BuiltInVerdict {
    // by name: Fault Tolerance may be missing
    private static final Set<String> NOT_NOW = Set.of(
            "org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException",
            "org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException");

    private BuiltInVerdict() {}

    static Verdict of(Throwable failure) {
        if (failure instanceof PermanentFailureException || failure instanceof UnreadableMessageException) {
            return Verdict.DEAD;
        }
        boolean notNow = failure instanceof DeferredDeliveryException || isNotNow(failure.getClass());
        return notNow ? Verdict.DEFER : Verdict.RETRY;
    }

    private static boolean isNotNow(Class<?> type) {
        return type != null && (NOT_NOW.contains(type.getName()) || isNotNow(type.getSuperclass()));
    }
}
