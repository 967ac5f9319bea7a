package io.outboxed;

import java.util.UUID;

/**
 * Stores events programmatically, like {@link Outboxed}. Inject it.
 *
 * <p>Transaction: one must be active, or the call fails and nothing is stored. The event is serialised and checked
 * during the call; later changes to the object have no effect. Its row is written as the transaction's last statement,
 * and delivered after the commit. After a rollback nothing is stored. Thread-safe; the rows belong to the calling
 * thread's transaction.
 *
 * <p>Order: the events of one aggregate are delivered in the order of the calls within a transaction, and in the order
 * of the transactions if those are serialised by a version or a lock of the aggregate.
 */
public interface Outbox {

    /**
     * Stores one event of a class that carries {@link EventType}.
     *
     * @param event the event, not null; its class must be public unless a {@link io.outboxed.spi.PayloadCodec} accepts
     *     others
     * @return the event's public id, a UUID version 7: {@link OutboxMessage#id()} of its deliveries
     * @throws OutboxException without an active transaction, or with one that is marked for rollback; for a null event,
     *     an event without type, a name or an aggregate id that is too long, a value that can't be serialised, or a
     *     payload over {@code outbox.payload.max-bytes}
     */
    default UUID publish(Object event) {
        return publish(event, PublishOptions.none());
    }

    /**
     * Stores one event with options. A {@code byte[]} is stored unchanged, a {@code String} as text, and both need
     * {@link PublishOptions#type(String)}.
     *
     * @param event the event, not null
     * @param options override what the event declares; null means {@link PublishOptions#none()}
     * @return the event's public id, a UUID version 7: {@link OutboxMessage#id()} of its deliveries. If an earlier
     *     event of this type had the same {@link PublishOptions#key(String)}, nothing is stored and this is that
     *     event's id
     * @throws OutboxException as {@link #publish(Object)}; for options that exceed their limits; and if the database
     *     can't tell whether a key is new, in which case the transaction is marked for rollback
     */
    UUID publish(Object event, PublishOptions options);
}
