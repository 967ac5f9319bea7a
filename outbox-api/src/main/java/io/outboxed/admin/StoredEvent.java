package io.outboxed.admin;

import io.outboxed.DeadLetter;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What is stored about one event, without its content.
 *
 * @param id the event's public id
 * @param messages its rows: the original one until all handlers are done or dead, and replays; unmodifiable
 * @param deliveries its handlers, where they differ; without them, all handlers wait for their first attempt;
 *     unmodifiable
 * @param deadLetters the deliveries that were given up; unmodifiable
 * @param processedAt when all its handlers had succeeded, from the history; empty unless {@code
 *     outbox.on-success=keep}; unmodifiable
 */
public record StoredEvent(
        UUID id,
        List<Message> messages,
        List<Delivery> deliveries,
        List<DeadLetter> deadLetters,
        List<Instant> processedAt) {

    /**
     * Copies the lists.
     *
     * @param id the event's id
     * @param messages its rows
     * @param deliveries of its handlers
     * @param deadLetters of its handlers
     * @param processedAt from the history
     */
    public StoredEvent {
        messages = List.copyOf(messages);
        deliveries = List.copyOf(deliveries);
        deadLetters = List.copyOf(deadLetters);
        processedAt = List.copyOf(processedAt);
    }

    /**
     * Whether nothing is stored about the event.
     *
     * @return true if nothing is stored about the event
     */
    public boolean isEmpty() {
        return messages.isEmpty() && deliveries.isEmpty() && deadLetters.isEmpty() && processedAt.isEmpty();
    }

    /** Where a message is. */
    public enum MessageState {
        /** The relay can take it immediately. */
        READY,
        /** It is delayed, or belongs to one of too many long backlogs. */
        PARKED,
        /** Its handlers differ: each that is not done has a delivery. */
        SPLIT
    }

    /** Where a delivery is. */
    public enum DeliveryState {
        /** It waits for an attempt, or behind one that does. */
        WAITING,
        /** Its handler has succeeded, and others of the event have not. */
        DONE,
        /** It waits for an operator. */
        BLOCKED
    }

    /**
     * A row of {@code outbox_message}.
     *
     * @param seq its number: lower ones of an aggregate come first
     * @param state where it is
     * @param version rises with each change of the row
     * @param shard the number of its shard
     * @param type the event's type
     * @param aggregateType empty if the event has none
     * @param aggregateId empty if the event has none
     * @param onlyHandler the handler that a replay is for; otherwise null
     * @param payloadSize in bytes
     * @param createdAt when it was stored, on the database's clock
     * @param dueAt when its delay ends, on the database's clock; {@code createdAt} without a delay
     */
    public record Message(
            long seq,
            MessageState state,
            int version,
            int shard,
            String type,
            String aggregateType,
            String aggregateId,
            String onlyHandler,
            int payloadSize,
            Instant createdAt,
            Instant dueAt) {}

    /**
     * One handler's delivery of a message.
     *
     * @param seq the number of the message
     * @param handler the handler's name
     * @param group its group
     * @param state where it is
     * @param attempts how many attempts have counted so far
     * @param dueAt the earliest time of the next attempt, on the database's clock
     * @param lastError the error of the last attempt, truncated to 1,000 characters; null if there was none
     */
    public record Delivery(
            long seq,
            String handler,
            String group,
            DeliveryState state,
            int attempts,
            Instant dueAt,
            String lastError) {}
}
