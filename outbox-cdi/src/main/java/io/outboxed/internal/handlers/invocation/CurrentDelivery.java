package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxMessage;
import java.lang.reflect.Method;

/** The delivery that is running on this thread. */
final class CurrentDelivery {
    private static final ThreadLocal<CurrentDelivery> CURRENT = new ThreadLocal<>();

    private final Handler handler;
    private final OutboxMessage message;
    private final Attempt attempt;
    private final BeanInstance bean;

    CurrentDelivery(Handler handler, OutboxMessage message, Attempt attempt) {
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
        return delivery != null && delivery.handler.method().equals(called) && !delivery.attempt.isRunning()
                ? delivery
                : null;
    }

    Handler handler() {
        return handler;
    }

    OutboxMessage message() {
        return message;
    }

    Attempt attempt() {
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
