package io.outboxed.internal.handlers;

import io.outboxed.OutboxMessage;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.store.cluster.Lease;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * A bean whose only handler is outside a transaction, and whose deliveries need not wait for each other: it passes an
 * event to something that works on its own, and learns later how that ended. Thread-safe.
 */
public interface Forwarder {

    /** The name of its handler. */
    String handlerName();

    /** How many deliveries one worker begins before it waits for the end of the first: 1 if to begin is to wait. */
    default int mostTogether() {
        return HandlerInvoker.MOST_TOGETHER;
    }

    /**
     * Begins a delivery, instead of the observer. There is no request context and no span.
     *
     * @param lease of the message's shard, which was valid a moment ago
     * @param isValid whether a lease still is, for any thread: to be asked again after a step that shuts other owners
     *     out, because a node that froze before that step fences its successor
     * @return waits for the end, and throws what the observer would throw, or {@link LeaseExpiredException}
     * @throws LeaseExpiredException if nothing was sent because of the lease
     * @throws Exception as the observer
     */
    Callable<Void> begin(OutboxMessage message, Lease lease, Predicate<Lease> isValid) throws Exception;
}
