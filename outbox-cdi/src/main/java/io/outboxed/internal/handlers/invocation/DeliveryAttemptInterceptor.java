package io.outboxed.internal.handlers.invocation;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;

/**
 * Runs an attempt of a handler, in the delivery's transaction unless the handler is outside it. If the application
 * fired the event itself, there is no delivery, and the observer is simply called.
 */
@Interceptor
@DeliveryAttempt
@Priority(DeliveryAttemptInterceptor.PRIORITY)
public class DeliveryAttemptInterceptor implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * Inside MicroProfile Fault Tolerance (by default PLATFORM_AFTER + 10), so that each of its retries passes through
     * here.
     */
    public static final int PRIORITY = Interceptor.Priority.PLATFORM_AFTER + 20;

    @AroundInvoke
    Object around(InvocationContext call) throws Exception {
        CurrentDelivery delivery = CurrentDelivery.of(call.getMethod());
        if (delivery == null) {
            return call.proceed();
        }
        return delivery.handler().demarcation() == Demarcation.OUTSIDE
                ? delivery.attempt().runOutside(call::proceed)
                : delivery.attempt().run(call::proceed);
    }
}
