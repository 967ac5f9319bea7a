package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.Outboxed;
import io.outboxed.internal.capture.transaction.CallerTransaction;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import java.lang.reflect.Method;

/**
 * Stores the events of an {@link Outboxed} method once it has returned. The priority places it inside {@code
 * @Transactional} (200), so that the method's transaction is still active; inside Fault Tolerance (4010), so that
 * failed attempts store nothing; and inside the transaction of a delivery (4020), so that a handler can publish events.
 */
@Outboxed
@Interceptor
@Priority(OutboxedInterceptor.PRIORITY)
public class OutboxedInterceptor implements Serializable {
    private static final long serialVersionUID = 1L;
    static final int PRIORITY = Interceptor.Priority.PLATFORM_AFTER + 30;

    @Inject
    OutboxBean outbox;

    @Inject
    CallerTransaction transaction;

    @AroundInvoke
    Object store(InvocationContext call) throws Exception {
        return proceedAndStore(call, outbox, transaction);
    }

    static Object proceedAndStore(InvocationContext call, OutboxBean outbox, CallerTransaction transaction)
            throws Exception {
        requireUnmarked(transaction, call.getMethod());
        // before the method: without a transaction, what it writes by SQL would stay without its event
        outbox.requireActiveTransaction();
        Object begun = transaction.key();
        Object returned = call.proceed();
        if (transaction.isMarked() && begun.equals(transaction.key())) {
            requireUnmarkedByOutbox(transaction, call.getMethod());
            // the method has marked its own transaction for rollback: its result is an answer, not an event
            return returned;
        }
        try {
            if (transaction.key() != null) {
                requireSame(begun, transaction, call.getMethod());
            }
            outbox.requireActiveTransaction();
            publish(call, returned, outbox);
        } catch (Throwable e) {
            // what the method has changed must not be committed without its events, whoever catches this; code in
            // Kotlin,
            // or with Lombok's @SneakyThrows, throws checked exceptions without declaring them, and @Transactional
            // commits after those
            transaction.mark(e);
            throw e;
        }
        return returned;
    }

    /** A call in a lost transaction, such as a retry: its result would look like a success. */
    static void requireUnmarked(CallerTransaction transaction, Method method) {
        if (transaction.isMarked()) {
            throw new OutboxException(
                    "OUTBOX-0102",
                    MethodName.of(method)
                            + " was not called: its transaction had already been marked for rollback, so its events"
                            + " would not be stored. Retry in a new transaction; a retry such as @Retry has to be"
                            + " outside the transaction",
                    transaction.reason());
        }
    }

    /** A method may mark its transaction and answer. One that swallows a failure here does not know of the mark. */
    private static void requireUnmarkedByOutbox(CallerTransaction transaction, Method method) {
        Throwable reason = transaction.reason();
        if (reason != null) {
            throw new OutboxException(
                    "OUTBOX-0102",
                    MethodName.of(method)
                            + " returned, but it swallowed an exception (see the cause) that marked the transaction"
                            + " for rollback, so its events are not stored. Let that exception propagate, and retry"
                            + " the whole transaction",
                    reason);
        }
    }

    /**
     * A method that has ended its transaction and begun another one: what it has written before is not stored together
     * with its events.
     */
    private static void requireSame(Object begun, CallerTransaction transaction, Method method) {
        transaction.requireSame(
                begun,
                () -> new OutboxException(
                        "OUTBOX-0102",
                        MethodName.of(method)
                                + " returned in a different transaction from the one it was called in, so its events"
                                + " are not stored, and the current transaction is marked for rollback. Leave the"
                                + " transaction to the caller, or call Outbox.publish before each commit"));
    }

    private static void publish(InvocationContext call, Object returned, OutboxBean outbox) {
        OutboxedMethod method = OutboxedMethod.of(call.getMethod());
        for (Object event : method.events(returned, call.getParameters())) {
            outbox.publish(event, method.options(call.getParameters()));
        }
    }
}
