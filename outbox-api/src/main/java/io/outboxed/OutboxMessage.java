package io.outboxed;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * A stored event as handlers see it: the envelope, and the payload as it was stored. A handler takes it as a second
 * parameter, or observes it instead of the event's class: {@code @Observes @EventType("order.placed") OutboxMessage}.
 *
 * @param id the event's public id, the one that {@link Outbox#publish(Object)} returned: the key under which an outside
 *     receiver drops repeats. All attempts and replays have the same
 * @param type the event's type, 1 to 128 characters
 * @param aggregateType the aggregate's type, empty if the event has none, never null
 * @param aggregateId the aggregate's identity, empty if the event has none, never null
 * @param attempt which attempt of this handler this is, from 1; attempts that did not count have the same number as the one
 *     that follows, and a replay starts with 1 again
 * @param createdAt when the event was stored, in microseconds, on the database's clock; kept by a replay
 * @param headers short texts stored with the event, among them the publisher's trace; empty for none, never null, can't be
 *     changed
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
     * Never shows the payload or the headers: a message may reach a log.
     *
     * @return id, type, aggregate and attempt
     */
    @Override
    public String toString() {
        return "OutboxMessage[" + id + " " + type + " " + aggregateType + "/" + aggregateId + " attempt " + attempt
                + "]";
    }
}
