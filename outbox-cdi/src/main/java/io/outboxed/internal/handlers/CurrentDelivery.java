package io.outboxed.internal.handlers;

import io.outboxed.OutboxMessage;
import java.lang.reflect.Method;

/** What the relay delivers on this thread right now. */
record CurrentDelivery(Handler handler, OutboxMessage message, Attempt attempt) {
    private static final ThreadLocal<CurrentDelivery> CURRENT = new ThreadLocal<>();

    /** Null where nothing is being delivered. */
    static CurrentDelivery get() {
        return CURRENT.get();
    }

    /**
     * The delivery whose handler this call is; null for an event that is fired meanwhile, also from within the handler.
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
