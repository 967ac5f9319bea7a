package io.outboxed;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Options for {@link Outbox#publish(Object, PublishOptions)}. Immutable; start with {@link #none()}. Null means "as
 * declared by the event". {@code publish} checks the limits; if one is exceeded, it throws an {@link OutboxException}
 * and stores nothing.
 *
 * @param type the event's type instead of its class's {@link EventType}, in the form of {@link EventType#value()};
 *     null: as declared by the class. Required for a {@code byte[]} and a {@code String}
 * @param aggregateType the aggregate's type, at most 128 characters; null: as declared by {@link
 *     EventType#aggregate()}, none if the class has no {@code EventType}
 * @param aggregateId the aggregate's identity, 1 to 128 characters; null: as declared by the event's {@link
 *     AggregateId}. Empty is rejected
 * @param delay how long after the event was stored its delivery may start, on the database's clock: zero to 365 days,
 *     rounded up to microseconds. A delayed event stands alone, outside the order of its aggregate. Not null
 * @param headers short texts that travel with the event, see {@link #header}; not null
 * @param key only the first event of a type with this key is stored, see {@link #key(String)}; null: each event is
 *     stored
 */
public record PublishOptions(
        String type,
        String aggregateType,
        String aggregateId,
        Duration delay,
        Map<String, String> headers,
        String key) {

    private static final PublishOptions NONE = new PublishOptions(null, null, null, Duration.ZERO, Map.of(), null);

    /**
     * Copies the headers.
     *
     * @param type the event's type, or null
     * @param aggregateType the aggregate's type, or null
     * @param aggregateId the aggregate's identity, or null
     * @param delay how long the delivery has to wait
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
     * @return options that leave everything as declared by the event, without delay, headers and key
     */
    public static PublishOptions none() {
        return NONE;
    }

    /**
     * Sets the event's type.
     *
     * @param newType in the form of {@link EventType#value()}; null: as declared by the event's class
     * @return these options with another type
     */
    public PublishOptions type(String newType) {
        return new PublishOptions(newType, aggregateType, aggregateId, delay, headers, key);
    }

    /**
     * Sets the aggregate.
     *
     * @param newType the aggregate's type, at most 128 characters; null: as declared by {@link EventType#aggregate()}
     * @param newId the aggregate's identity, stored as its {@code toString()}, 1 to 128 characters; null: as declared
     *     by the event's {@link AggregateId}. Empty is rejected by {@code publish}
     * @return these options with another aggregate
     */
    public PublishOptions aggregate(String newType, Object newId) {
        return new PublishOptions(type, newType, newId == null ? null : newId.toString(), delay, headers, key);
    }

    /**
     * Delays the delivery. A delayed event stands alone: it is neither before nor behind other events of its aggregate.
     *
     * @param newDelay zero to 365 days, rounded up to microseconds, counted on the database's clock from when the event
     *     is stored; not null
     * @return these options with another delay
     * @throws NullPointerException if the delay is null
     */
    public PublishOptions delay(Duration newDelay) {
        return new PublishOptions(type, aggregateType, aggregateId, newDelay, headers, key);
    }

    /**
     * Adds a header, or replaces the one of that name. Handlers read it from {@link OutboxMessage#headers()}. Everyone
     * who can read the table can read it too, so it must not contain secrets. All headers together, including those of
     * {@link io.outboxed.spi.ContextPropagator}s, can have at most 4,000 characters as a JSON object.
     *
     * @param name 1 to 128 characters, not all blank; {@code traceparent} and {@code tracestate} are reserved. Not null
     * @param value any text without U+0000 and unpaired surrogates; not null
     * @return these options with that header
     * @throws NullPointerException if the name or the value is null
     */
    public PublishOptions header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new PublishOptions(type, aggregateType, aggregateId, delay, more, key);
    }

    /**
     * Stores the event only if it is the first one of its type with this key. {@code publish} returns the id of that
     * first event, whether or not this call has stored it. An event that is not stored is checked as well.
     *
     * <p>The key is claimed during the call of {@code publish}, in its transaction, and is free again if that rolls
     * back. A second transaction with the same key waits in {@code publish} until the first one ends. A key is kept for
     * at least {@code outbox.inbox.retention} (30 days); a later event with the same key is stored. For waiting,
     * deadlocks and database errors see {@link Inbox}.
     *
     * @param newKey 1 to 255 characters, compared exactly, not ending with a space; null: each event is stored
     * @return these options with another key
     */
    public PublishOptions key(String newKey) {
        return new PublishOptions(type, aggregateType, aggregateId, delay, headers, newKey);
    }
}
