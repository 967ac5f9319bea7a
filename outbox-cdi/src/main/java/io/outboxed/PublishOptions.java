package io.outboxed;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What {@link Outbox#publish(Object, PublishOptions)} may be told beside the event. Immutable; null means "as the event
 * says".
 *
 * @param type the event's type instead of its class's {@link EventType}
 * @param aggregateType the aggregate's type
 * @param aggregateId the aggregate's identity
 * @param delay how long after the commit the delivery may start, on the database's clock; a delayed message stands alone,
 *     outside the order of its aggregate
 * @param headers short texts that travel with the event
 */
public record PublishOptions(
        String type, String aggregateType, String aggregateId, Duration delay, Map<String, String> headers) {

    private static final PublishOptions NONE = new PublishOptions(null, null, null, Duration.ZERO, Map.of());

    public PublishOptions {
        Objects.requireNonNull(delay, "delay");
        headers = Map.copyOf(headers);
    }

    /** No options. */
    public static PublishOptions none() {
        return NONE;
    }

    public PublishOptions type(String newType) {
        return new PublishOptions(newType, aggregateType, aggregateId, delay, headers);
    }

    public PublishOptions aggregate(String newType, Object newId) {
        return new PublishOptions(type, newType, newId == null ? null : newId.toString(), delay, headers);
    }

    public PublishOptions delay(Duration newDelay) {
        return new PublishOptions(type, aggregateType, aggregateId, newDelay, headers);
    }

    public PublishOptions header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new PublishOptions(type, aggregateType, aggregateId, delay, more);
    }
}
