package io.outboxed.admin;

import java.time.Instant;
import java.util.UUID;

/**
 * A message that waits, or one of its deliveries. Components are never null unless their description says so.
 *
 * @param seq the message's number: lower ones of an aggregate come first
 * @param messageId the event's public id
 * @param type the event's type
 * @param aggregateType the aggregate's type, empty if the event has none
 * @param aggregateId the aggregate's identity, empty if the event has none
 * @param handler the handler of a delivery, or of the replay of a dead letter; otherwise null
 * @param attempts how many attempts have counted so far for this handler; 0 for a message
 * @param createdAt when the event was stored, on the database's clock
 * @param dueAt the earliest time of the delivery, on the database's clock
 * @param error the error of the last attempt, truncated; null if there was none
 */
public record WaitingItem(
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
