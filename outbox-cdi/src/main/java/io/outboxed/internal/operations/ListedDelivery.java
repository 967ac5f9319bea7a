package io.outboxed.internal.operations;

import java.time.Instant;
import java.util.UUID;

/**
 * A message or one of its deliveries, as a line of a list.
 *
 * @param handler of a delivery, or of a replay; otherwise null
 * @param dueAt the earliest time of the delivery, on the database's clock
 * @param error of the last attempt, or null
 */
public record ListedDelivery(
        long seq,
        UUID messageId,
        String type,
        String aggregateType,
        String aggregateId,
        String handler,
        int attempts,
        Instant createdAt,
        Instant dueAt,
        String error) {}
