package io.outboxed;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * A stored event as handlers see it: the envelope, and the payload as it was stored. A handler takes it as a second
 * parameter, or observes it instead of the event's class: {@code @Observes @EventType("order.placed") OutboxMessage}.
 *
 * @param id the event's public id, as returned by {@link Outbox#publish(Object)}: the key by which an external receiver
 *     detects duplicates. All attempts and replays have the same id
 * @param type the event's type, 1 to 128 characters
 * @param aggregateType the aggregate's type, empty if the event has none, never null
 * @param aggregateId the aggregate's identity, empty if the event has none, never null
 * @param attempt the number of this handler's attempt, from 1; an attempt that did not count has the same number as the
 *     next one, and a replay starts with 1 again
 * @param createdAt when the event was stored, in microseconds, on the database's clock; kept by a replay
 * @param headers short texts stored with the event, among them the publisher's trace; empty for none, never null,
 *     unmodifiable
 * @param text the payload if it was stored as text (JSON by default), else null
 * @param bytes the payload if it was stored as bytes, else null; not copied, so don't change it
 */
@SuppressWarnings("ArrayRecordComponent")
public record OutboxMessage(
        UUID id,
        String type,
        String aggregateType,
        String aggregateId,
        int attempt,
        Instant createdAt,
        Map<String, String> headers,
        String text,
        byte[] bytes) {

    /**
     * Never contains the payload or the headers, because a message may be logged.
     *
     * @return id, type, aggregate and attempt
     */
    @Override
    public String toString() {
        return "OutboxMessage[" + id + " " + type + " " + aggregateType + "/" + aggregateId + " attempt " + attempt
                + "]";
    }
}
