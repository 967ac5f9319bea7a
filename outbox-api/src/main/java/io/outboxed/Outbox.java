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
     * Stores one event of a class that carries {@link EventType}. Let its exceptions propagate, or mark the transaction
     * for rollback: otherwise your data are committed without the event. Some CDI containers only log an
     * exception from a {@code BEFORE_COMPLETION} observer, and commit: publish there from an {@link Outboxed} observer
     * method, whose failure marks the transaction for rollback.
     *
     * @param event the event, not null; its class must be public unless a {@link io.outboxed.spi.PayloadCodec} accepts
     *     others
     * @return the event's public id, a UUID version 7: {@link OutboxMessage#id()} of its deliveries
     * @throws OutboxException without an active transaction, or with one that is marked for rollback; for a null event,
     *     an event without type, a name or an aggregate id that is too long, a value that can't be serialised, a
     *     payload that is not JSON, or one over {@code outbox.payload.max-bytes}; if the event's class inherits its
     *     type and the handlers of that type observe another class ({@code OUTBOX-0147}); if a {@link
     *     io.outboxed.spi.ContextPropagator} fails ({@code OUTBOX-0115}); and for the first events of a deployment
     *     whose handlers can't be registered yet, because the database does not answer or the application is starting
     *     ({@code OUTBOX-0116})
     */
    default UUID publish(Object event) {
        return publish(event, PublishOptions.none());
    }

    /**
     * Stores one event with options. A {@code byte[]} is stored unchanged, a {@code String} as text, and both need
     * {@link PublishOptions#type(String)}. Text must be JSON unless {@code outbox.payload.format} is {@code binary} or
     * {@code outbox.payload.validate} is {@code false}.
     *
     * @param event the event, not null
     * @param options override what the event declares; null means {@link PublishOptions#none()}
     * @return the event's public id, {@link OutboxMessage#id()} of its deliveries: that of the options, or else a UUID
     *     version 7. If an earlier event of this type had the same {@link PublishOptions#key(String)}, nothing is
     *     stored and this is that event's id
     * @throws OutboxException as {@link #publish(Object)}; for options that exceed their limits; for a {@link
     *     PublishOptions#id(UUID)} that was published before; and if the database can't tell whether a key or an id is
     *     new, in which case the transaction is marked for rollback
     */
    UUID publish(Object event, PublishOptions options);

    /**
     * Cancels an event that has certainly not been handed to any handler, on any node. Only these can be cancelled:
     *
     * <ul>
     *   <li>an event that was published in this transaction, before its commit begins
     *   <li>a committed event with a delay or an instant that has not passed yet on the database's clock
     * </ul>
     *
     * <p>Every other event may have been started and is left alone. An event without a delay can be started as soon as
     * its transaction has committed, so it can't be cancelled afterwards.
     *
     * <p>Transaction: one must be active. The event is deleted in it, so a rollback restores the event. Until the
     * transaction ends, no node starts the event, even if its time comes. A call waits while another transaction
     * cancels the same event. Handlers are not informed, and nothing is kept. The event's {@link
     * PublishOptions#id(UUID)} and {@link PublishOptions#key(String)} stay in use.
     *
     * @param id the event's id, as returned by {@code publish}, not null
     * @return true if this call has cancelled the event: after the commit, no handler will ever be called with it.
     *     False if it may have been started, was cancelled before, does not exist, or is not visible in this
     *     transaction's snapshot (above READ COMMITTED)
     * @throws OutboxException without an active transaction, or with one that is marked for rollback. Also after an
     *     error of the database, such as a lock timeout; then the transaction is marked for rollback
     * @throws NullPointerException if the id is null
     */
    boolean cancel(UUID id);
}
