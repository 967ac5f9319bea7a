package io.outboxed.internal.store;

import java.time.Instant;
import java.util.UUID;

/** The rest of a message row, read when it is about to be delivered. Exactly one of text and bytes is set. */
@SuppressWarnings("ArrayRecordComponent")
public record Body(
        long seq,
        UUID id,
        String aggregateType,
        String aggregateId,
        Instant createdAt,
        String headers,
        String text,
        byte[] bytes) {}
