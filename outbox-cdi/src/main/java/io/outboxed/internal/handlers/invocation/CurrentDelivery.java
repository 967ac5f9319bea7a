package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxMessage;
import java.lang.reflect.Method;
import java.util.Arrays;

/** The delivery that is running on this thread. */
final class CurrentDelivery {
    private static final ThreadLocal<CurrentDelivery> CURRENT = new ThreadLocal<>();

    private final Handler handler;
    private final OutboxMessage message;
    private final TransactionalInvocation attempt;
    private final BeanInstance bean;

    CurrentDelivery(Handler handler, OutboxMessage message, TransactionalInvocation attempt) {
        this.handler = handler;
        this.message = message;
        this.attempt = attempt;
        this.bean = new BeanInstance(handler);
    }

    /** Null if nothing is being delivered. */
    static CurrentDelivery get() {
        return CURRENT.get();
    }

    /**
     * The delivery that this call belongs to; null for an event that is fired during the delivery, also by the handler
     * itself.
     */
    static CurrentDelivery of(Method called) {
        CurrentDelivery delivery = CURRENT.get();
        return delivery != null && isCalledAs(delivery.handler.method(), called) && !delivery.attempt.isRunning()
                ? delivery
                : null;
    }

    /** A public class has a bridge for a public method that it inherits from a class that is not. */
    private static boolean isCalledAs(Method method, Method called) {
        return called.equals(method)
                || called.isBridge()
                        && method.getDeclaringClass().isAssignableFrom(called.getDeclaringClass())
                        && called.getName().equals(method.getName())
                        && Arrays.equals(called.getParameterTypes(), method.getParameterTypes());
    }

    Handler handler() {
        return handler;
    }

    OutboxMessage message() {
        return message;
    }

    TransactionalInvocation attempt() {
        return attempt;
    }

    /** The bean that the handler is called on. */
    BeanInstance bean() {
        return bean;
    }

    void begin() {
        CURRENT.set(this);
    }

    static void end() {
        CURRENT.remove();
    }
}
