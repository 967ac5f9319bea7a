package io.outboxed.internal.capture;

import io.outboxed.Outboxed;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;

/**
 * Stores what an {@link Outboxed} method hands over once it has returned. The priority puts it inside {@code
 * @Transactional} (200), so that the transaction is still the method's own; inside Fault Tolerance (4010), whose failed
 * attempts hand over nothing; and inside the transaction of a delivery (4020), so that a handler may hand over events.
 */
@Outboxed
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_AFTER + 30)
public class OutboxedInterceptor {

    @Inject
    OutboxWriter outbox;

    @AroundInvoke
    Object store(InvocationContext call) throws Exception {
        Object returned = call.proceed();
        if (outbox.isRollbackOnly()) {
            // the method itself gave its transaction up: its result is an answer and no event
            return returned;
        }
        outbox.requireActiveTransaction();
        OutboxedMethod method = OutboxedMethod.of(call.getMethod());
        for (Object event : method.events(returned, call.getParameters())) {
            outbox.publish(event, method.options(call.getParameters()));
        }
        return returned;
    }
}
