package io.outboxed.internal.store;

import java.time.Instant;
import java.util.UUID;

/**
 * A dead letter as an operator sees it.
 *
 * @param diedAtMicros microseconds since 1970 UTC, on the database's clock
 * @param blocked the delivery itself still waits in its lane and holds up what follows
 */
public record DeadLetterRow(
        UUID messageId,
        String handler,
        String group,
        String type,
        String aggregateType,
        String aggregateId,
        int attempts,
        String error,
        Instant createdAt,
        long diedAtMicros,
        boolean blocked) {}
