package io.outboxed.internal.handlers.invocation;

import java.util.Set;

/** Exceptions with which Fault Tolerance refuses a call now: it has not been made. */
public final class RefusedCall {
    // by name: Fault Tolerance may be missing
    private static final Set<String> TYPES = Set.of(
            "org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException",
            "org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException",
            "io.smallrye.faulttolerance.api.RateLimitException");

    private RefusedCall() {}

    public static boolean is(Throwable failure) {
        return isOne(failure.getClass());
    }

    private static boolean isOne(Class<?> type) {
        return type != null && (TYPES.contains(type.getName()) || isOne(type.getSuperclass()));
    }
}
