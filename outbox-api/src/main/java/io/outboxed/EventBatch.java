package io.outboxed;

import java.util.List;

/**
 * Waiting events of one aggregate and one type, for a handler that takes them in one call and one transaction:
 *
 * <pre>{@code
 * void project(@Observes EventBatch<OrderPlaced> batch) {
 *     batch.events().forEach(...);
 * }
 * }</pre>
 *
 * <p>The type argument is a class with an {@link EventType}, or {@link OutboxMessage} with the qualifier {@link
 * EventType} or {@link AnyEvent} on the parameter. Anything else fails the deployment, and so does an observer that
 * runs outside the delivery's transaction ({@code REQUIRES_NEW}, {@code NOT_SUPPORTED}, {@code NEVER}) or that takes an
 * {@link OutboxMessage} as a second parameter. The relay calls the observer on one of its threads, with a request
 * context; no two calls for one aggregate run at the same time.
 *
 * <p><b>Size.</b> A handler must expect any number of events from one up, and must not read anything into it. There is
 * never more than one if the event's type has another handler, or after a failure: an event that is retried comes
 * alone, and so do those that waited behind it, and those that may have been running on a node that died. {@code
 * outbox.handler.batch-size} limits the number.
 *
 * <p><b>Transaction and errors.</b> All events of a call are recorded as delivered in the handler's transaction, or
 * none is. If the handler throws and there are several events, the transaction is rolled back, no attempt is counted or
 * reported to a {@link io.outboxed.spi.FailureHandler}, and the handler is called again with each event alone. The
 * first one that fails then is reported and retried as any other event, and those behind it wait. So an event may be in
 * several calls, of which one commits. {@code outbox.handler.timeout} applies to each call, whatever its size; a call
 * of several events that exceeds it counts as a failed attempt of the first one.
 *
 * <p>Context that a {@link io.outboxed.spi.ContextPropagator} restores, and the trace, are those of the first event.
 *
 * <p>Unmodifiable, and usable on any thread. Tests can create one; the relay does not deliver one that an application
 * fires.
 *
 * @param <T> the events' class
 * @param events the events, in the aggregate's order, at least one, never null
 * @param messages their envelopes, in the same order, never null
 */
public record EventBatch<T>(List<T> events, List<OutboxMessage> messages) {

    /**
     * Copies both lists.
     *
     * @param events at least one
     * @param messages one for each event
     * @throws IllegalArgumentException if there is no event, or not one envelope for each
     */
    public EventBatch {
        events = List.copyOf(events);
        messages = List.copyOf(messages);
        if (events.isEmpty() || events.size() != messages.size()) {
            throw new IllegalArgumentException(
                    events.size() + " events and " + messages.size() + " messages: expected one of each, or more");
        }
    }

    /**
     * Never contains a payload, because a batch may be logged.
     *
     * @return the envelopes
     */
    @Override
    public String toString() {
        return "EventBatch" + messages;
    }
}
