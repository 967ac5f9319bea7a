package io.outboxed.internal.handlers.invocation;

import java.util.Set;

/** Removes the container's wrappers from an exception that a handler threw. */
final class Unwrapped {
    private static final int DEEPEST = 16;
    private static final Set<String> WRAPPERS = Set.of(
            "jakarta.ejb.EJBException",
            "jakarta.ejb.EJBTransactionRolledbackException",
            "jakarta.ejb.TransactionRolledbackLocalException",
            "jakarta.enterprise.event.ObserverException",
            "jakarta.transaction.RollbackException",
            "jakarta.transaction.TransactionalException",
            "java.lang.reflect.InvocationTargetException",
            "java.lang.reflect.UndeclaredThrowableException");

    private Unwrapped() {}

    static Throwable of(Throwable failure) {
        Throwable inner = failure;
        for (int depth = 0; depth < DEEPEST && inner.getCause() != null && isWrapper(inner); depth++) {
            inner = inner.getCause();
        }
        return inner;
    }

    private static boolean isWrapper(Throwable failure) {
        return WRAPPERS.contains(failure.getClass().getName());
    }
}
