package io.outboxed.internal.handlers;

import io.outboxed.OutboxMessage;
import java.util.concurrent.Callable;

/**
 * A bean whose only handler is outside a transaction, and whose deliveries need not wait for each other: it hands an
 * event to something that works on its own, and learns later how that ended. Thread-safe.
 */
public interface PipelinedHandler {

    /** The name of its handler. */
    String handlerName();

    /**
     * Begins a delivery, instead of the observer. There is no request context and no span.
     *
     * @return waits for the end, and throws what the observer would throw
     * @throws Exception as the observer
     */
    Callable<Void> begin(OutboxMessage message) throws Exception;
}
