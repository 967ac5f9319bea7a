package io.outboxed.internal.handlers.invocation;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;

/**
 * Runs an attempt of a handler in the delivery's transaction. If the application fired the event itself, there is no
 * delivery, and the observer is simply called.
 */
@Interceptor
@DeliveryTransaction
@Priority(DeliveryTransactionInterceptor.PRIORITY)
public class DeliveryTransactionInterceptor implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * Inside MicroProfile Fault Tolerance (by default PLATFORM_AFTER + 10), so that each of its retries passes through
     * here.
     */
    public static final int PRIORITY = Interceptor.Priority.PLATFORM_AFTER + 20;

    @AroundInvoke
    Object around(InvocationContext call) throws Exception {
        CurrentDelivery delivery = CurrentDelivery.of(call.getMethod());
        return delivery == null ? call.proceed() : delivery.attempt().run(call::proceed);
    }
}
