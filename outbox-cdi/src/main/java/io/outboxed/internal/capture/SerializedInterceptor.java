package io.outboxed.internal.capture;

import io.outboxed.Outboxed;
import io.outboxed.internal.capture.transaction.CallerTransaction;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;

/**
 * Locks the aggregate before the method's first statement: on MySQL the first consistent read takes the transaction's
 * snapshot. A separate interceptor, so that the container chooses between the annotations of class and method.
 */
@Outboxed(serialize = true)
@Interceptor
@Priority(OutboxedInterceptor.PRIORITY)
public class SerializedInterceptor implements Serializable {
    private static final long serialVersionUID = 1L;

    @Inject
    OutboxBean outbox;

    @Inject
    CallerTransaction transaction;

    @AroundInvoke
    Object lockAndStore(InvocationContext call) throws Exception {
        OutboxedInterceptor.requireUnmarked(transaction, call.getMethod());
        outbox.lock(OutboxedMethod.of(call.getMethod())
                .options(call.getParameters())
                .aggregateId());
        return OutboxedInterceptor.proceedAndStore(call, outbox, transaction);
    }
}
