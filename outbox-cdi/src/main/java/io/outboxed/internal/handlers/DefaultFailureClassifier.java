package io.outboxed.internal.handlers;

import io.outboxed.OutboxMessage;
import io.outboxed.PermanentFailureException;
import io.outboxed.spi.FailureClassifier;
import java.util.Set;

/** The classifier that is used if the application has none. */
final class DefaultFailureClassifier implements FailureClassifier {
    // by name: Fault Tolerance may be missing
    private static final Set<String> NOT_NOW = Set.of(
            "org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException",
            "org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException");

    @Override
    public Verdict classify(OutboxMessage message, String handler, Throwable failure) {
        if (failure instanceof PermanentFailureException) {
            return Verdict.DEAD;
        }
        return isNotNow(failure.getClass()) ? Verdict.DEFER : Verdict.RETRY;
    }

    private static boolean isNotNow(Class<?> type) {
        return type != null && (NOT_NOW.contains(type.getName()) || isNotNow(type.getSuperclass()));
    }
}
