package io.outboxed.internal.capture;

import io.outboxed.Outboxed;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;

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
    OutboxWriter outbox;

    @AroundInvoke
    Object store(InvocationContext call) throws Exception {
        return proceedAndStore(call, outbox);
    }

    static Object proceedAndStore(InvocationContext call, OutboxWriter outbox) throws Exception {
        outbox.requireUnmarked(call.getMethod());
        // before the method: without a transaction, what it writes by SQL would stay without its event
        outbox.requireActiveTransaction();
        Object transaction = outbox.transactionKey();
        Object returned = call.proceed();
        if (outbox.isRollbackOnly()) {
            outbox.requireUnmarkedByOutbox(call.getMethod());
            // the method has marked its own transaction for rollback: its result is an answer, not an event
            return returned;
        }
        try {
            outbox.requireActiveTransaction();
            outbox.requireSame(transaction, call.getMethod());
            publish(call, returned, outbox);
        } catch (RuntimeException | Error e) {
            // what the method has changed must not be committed without its events, whoever catches this
            outbox.markForRollback(e);
            throw e;
        }
        return returned;
    }

    private static void publish(InvocationContext call, Object returned, OutboxWriter outbox) {
        OutboxedMethod method = OutboxedMethod.of(call.getMethod());
        for (Object event : method.events(returned, call.getParameters())) {
            outbox.publish(event, method.options(call.getParameters()));
        }
    }
}
