package io.outboxed;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Options for {@link Outbox#publish(Object, PublishOptions)}. Immutable; start with {@link #none()}. Null means "as
 * declared by the event". {@code publish} checks the limits; if one is exceeded, it throws an {@link OutboxException}
 * and stores nothing.
 *
 * @param id the event's id, see {@link #id(UUID)}; null: {@code publish} makes one, a UUID version 7
 * @param type the event's type instead of its class's {@link EventType}, in the form of {@link EventType#value()};
 *     null: as declared by the class. Required for a {@code byte[]} and a {@code String}
 * @param aggregateType the aggregate's type, at most 128 characters; null: as declared by {@link
 *     EventType#aggregate()}, none if the class has no {@code EventType}
 * @param aggregateId the aggregate's identity, 1 to 128 characters; null: as declared by the event's {@link
 *     AggregateId}, and rejected if there is none and an aggregate type is given. Empty is rejected
 * @param delay how long after the event was stored its delivery may start, on the database's clock: zero to 365 days,
 *     rounded up to microseconds. A delayed event stands alone, outside the order of its aggregate. Not null
 * @param notBefore when its delivery may start at the earliest, see {@link #notBefore(Instant)}; null: at once, or
 *     after the delay
 * @param headers short texts that travel with the event, see {@link #header}; not null
 * @param key only the first event of a type with this key is stored, see {@link #key(String)}; null: each event is
 *     stored
 */
public record PublishOptions(
        UUID id,
        String type,
        String aggregateType,
        String aggregateId,
        Duration delay,
        Instant notBefore,
        Map<String, String> headers,
        String key) {

    private static final PublishOptions NONE =
            new PublishOptions(null, null, null, null, Duration.ZERO, null, Map.of(), null);

    /**
     * Copies the headers.
     *
     * @param id the event's id, or null
     * @param type the event's type, or null
     * @param aggregateType the aggregate's type, or null
     * @param aggregateId the aggregate's identity, or null
     * @param delay how long the delivery has to wait
     * @param notBefore when the delivery may start at the earliest, or null
     * @param headers short texts
     * @param key the key, or null
     * @throws NullPointerException if the delay, the headers, or a name or value of them is null
     */
    public PublishOptions {
        Objects.requireNonNull(delay, "delay");
        headers = Map.copyOf(headers);
    }

    /**
     * No options.
     *
     * @return options that leave everything as declared by the event, without id, delay, headers and key
     */
    public static PublishOptions none() {
        return NONE;
    }

    /**
     * Sets the event's id, for example to that of the request that causes the event. {@code publish} refuses an id that
     * another call was given before, in this transaction or in a committed one. If the other transaction is still open,
     * the call waits for its end, and refuses the id if it commits. The event of the first call may have been delivered
     * or cancelled since.
     *
     * <p>An id is remembered for at least {@code outbox.inbox.retention} (30 days), and for as long as its event or a
     * dead letter of it is stored. It is reserved during the call of {@code publish} and is free again if the
     * transaction rolls back. For waiting, deadlocks and database errors see {@link Inbox}. To get the id of the first
     * event instead of an error, use {@link #key(String)}; the two can't be combined.
     *
     * @param newId a UUID of any version; it does not affect the order. Null: {@code publish} makes one
     * @return these options with another id
     */
    public PublishOptions id(UUID newId) {
        return new PublishOptions(newId, type, aggregateType, aggregateId, delay, notBefore, headers, key);
    }

    /**
     * Sets the event's type.
     *
     * @param newType in the form of {@link EventType#value()}; null: as declared by the event's class
     * @return these options with another type
     */
    public PublishOptions type(String newType) {
        return new PublishOptions(id, newType, aggregateType, aggregateId, delay, notBefore, headers, key);
    }

    /**
     * Sets the aggregate.
     *
     * @param newType the aggregate's type, at most 128 characters; null: as declared by {@link EventType#aggregate()}
     * @param newId the aggregate's identity, stored as its {@code toString()}, 1 to 128 characters; null: as declared
     *     by the event's {@link AggregateId}. {@code publish} rejects an id whose text is empty or null, and null with
     *     a type if the event declares no id
     * @return these options with another aggregate
     * @throws IllegalArgumentException if the id is an array or an object whose class does not override {@code
     *     toString()}, or if its text shows such a component of a record or element of a collection
     */
    public PublishOptions aggregate(String newType, Object newId) {
        // null would mean "as declared": what has no text is refused like an empty one
        String text = newId == null ? null : Objects.requireNonNullElse(newId.toString(), "");
        if (text != null) {
            IdentityString.in(newId, text).ifPresent(part -> {
                throw new IllegalArgumentException("the id is or contains "
                        + (part.getClass().isArray() ? "an array, " : "a ")
                        + part.getClass().getTypeName()
                        + ", which has no toString() of its own, so equal ids may have different texts, and different"
                        + " ids the same text: use a String, a number or a UUID, or give the class a toString()");
            });
        }
        return new PublishOptions(id, type, newType, text, delay, notBefore, headers, key);
    }

    /**
     * Delays the delivery. A delayed event stands alone: it is neither before nor behind other events of its aggregate.
     *
     * @param newDelay zero to 365 days, rounded up to microseconds, counted on the database's clock from when the event
     *     is stored; on H2 from when its transaction began; not null
     * @return these options with another delay
     * @throws NullPointerException if the delay is null
     */
    public PublishOptions delay(Duration newDelay) {
        return new PublishOptions(id, type, aggregateType, aggregateId, newDelay, notBefore, headers, key);
    }

    /**
     * Schedules the delivery: it starts as soon as possible, but not before this instant on the database's clock. The
     * clock of this node does not matter. With a {@link #delay(Duration)} too, the later of the two counts. An event
     * with an instant stands alone like a delayed one, even if the instant has passed: it is neither before nor behind
     * other events of its aggregate.
     *
     * @param newInstant at most 365 days from now (only this limit is checked by the clock of this node), rounded up to
     *     microseconds. In the past: at once. Null: at once, or after the delay
     * @return these options with another instant
     */
    public PublishOptions notBefore(Instant newInstant) {
        return new PublishOptions(id, type, aggregateType, aggregateId, delay, newInstant, headers, key);
    }

    /**
     * Adds a header, or replaces the one of that name. Handlers read it from {@link OutboxMessage#headers()}. Everyone
     * who can read the table can read it too, so it must not contain secrets. All headers together, including those of
     * {@link io.outboxed.spi.ContextPropagator}s, can have at most 4,000 characters as a JSON object.
     *
     * @param name 1 to 128 characters, not all blank; {@code traceparent} and {@code tracestate} are reserved. Not null
     * @param value any text, also with control characters, except U+0000 and unpaired surrogates; not null
     * @return these options with that header
     * @throws NullPointerException if the name or the value is null
     */
    public PublishOptions header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new PublishOptions(id, type, aggregateType, aggregateId, delay, notBefore, more, key);
    }

    /**
     * Stores the event only if it is the first one of its type with this key. {@code publish} returns the id of that
     * first event, whether or not this call has stored it. An event that is not stored is checked as well.
     *
     * <p>The key is reserved during the call of {@code publish}, in its transaction, and is free again if that rolls
     * back. A second transaction with the same key waits in {@code publish} until the first one ends. A key is kept for
     * at least {@code outbox.inbox.retention} (30 days); a later event with the same key is stored. For waiting,
     * deadlocks and database errors see {@link Inbox}.
     *
     * @param newKey 1 to 255 characters, compared exactly, not ending with a space; can't be combined with {@link
     *     #id(UUID)}. Null: each event is stored
     * @return these options with another key
     */
    public PublishOptions key(String newKey) {
        return new PublishOptions(id, type, aggregateType, aggregateId, delay, notBefore, headers, newKey);
    }
}
