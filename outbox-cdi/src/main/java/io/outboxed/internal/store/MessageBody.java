package io.outboxed.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The rest of a message row: read along with the head if it is small, otherwise when it is about to be delivered. Either
 * text or bytes is set; neither, if only the rest is asked for or needed.
 */
@SuppressWarnings("ArrayRecordComponent")
public record MessageBody(
        long seq,
        UUID id,
        String aggregateType,
        String aggregateId,
        Instant createdAt,
        Duration delay,
        String headers,
        String text,
        byte[] bytes) {

    public MessageBody withoutPayload() {
        return new MessageBody(seq, id, aggregateType, aggregateId, createdAt, delay, headers, null, null);
    }

    /** When the relay could have delivered it at the earliest. */
    public Instant dueAt() {
        return createdAt.plus(delay);
    }
}
