package io.outboxed;

import java.util.UUID;

/**
 * Stores events by hand; the same door that {@link Outboxed} uses. Inject it.
 *
 * <p>Transaction: one must be active, or the call fails and nothing is stored. The event is serialised and checked
 * during the call; its row is written as the transaction's last statement and delivered after the commit. Safe for any
 * thread; the rows belong to the calling thread's transaction.
 */
public interface Outbox {

    /**
     * Stores one event of a class that carries {@link EventType}.
     *
     * @return the event's public id, a UUID version 7
     * @throws OutboxException without an active transaction, for a null event, an event without type, an aggregate id
     *     that is too long, a value that can't be serialised or a payload over {@code outbox.payload.max-bytes}
     */
    default UUID publish(Object event) {
        return publish(event, PublishOptions.none());
    }

    /**
     * Stores one event with options. A {@code byte[]} is stored as it is, a {@code String} as text, and both need
     * {@link PublishOptions#type(String)}.
     */
    UUID publish(Object event, PublishOptions options);
}
