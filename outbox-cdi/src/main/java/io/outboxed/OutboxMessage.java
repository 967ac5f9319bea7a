package io.outboxed;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * A stored event as handlers see it: the envelope, and the payload as it was stored.
 *
 * @param id the event's public id: the key under which an outside receiver drops repeats
 * @param type the event's type
 * @param aggregateType the aggregate's type, empty where there is none
 * @param aggregateId the aggregate's identity, empty where there is none
 * @param attempt which try of this handler this is, from 1
 * @param createdAt when the row was written, on the database's clock
 * @param headers short texts stored with the event
 * @param text the payload if it was stored as text (JSON by default), else null
 * @param bytes the payload if it was stored as bytes, else null; not copied
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

    /** Never shows the payload or the headers: a message may reach a log. */
    @Override
    public String toString() {
        return "OutboxMessage[" + id + " " + type + " " + aggregateType + "/" + aggregateId + " attempt " + attempt
                + "]";
    }
}
