package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxMessage;
import java.lang.reflect.Method;

/** The delivery that is running on this thread. */
record CurrentDelivery(Handler handler, OutboxMessage message, Attempt attempt) {
    private static final ThreadLocal<CurrentDelivery> CURRENT = new ThreadLocal<>();

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

    void begin() {
        CURRENT.set(this);
    }

    static void end() {
        CURRENT.remove();
    }
}
