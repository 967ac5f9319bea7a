package io.outboxed.admin;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What waits in an aggregate, and what for. Components are never null unless their description says so.
 *
 * @param aggregateType the aggregate's type
 * @param aggregateId the aggregate's identity
 * @param shard the number of its shard
 * @param node the {@link NodeStatus#label()} of the live node that relays it; null if there is none. If nodes share its
 *     shard (claim {@code advisory-lock} or {@code row-lock}), the labels of all of them, separated by a comma and a
 *     space: any of
 *     them may relay it
 * @param messages how many events are stored that still have work to do; counting stops at 10,000, and after 100,000
 *     deliveries
 * @param waits one for each handler group that waits, and one for the whole aggregate if it waits; empty if nothing is
 *     held up; unmodifiable
 */
public record AggregateState(
        String aggregateType, String aggregateId, int shard, String node, long messages, List<Wait> waits) {

    /**
     * Copies the list.
     *
     * @param aggregateType the aggregate's type
     * @param aggregateId the aggregate's identity
     * @param shard its shard
     * @param node or null
     * @param messages how many
     * @param waits what it waits for
     */
    public AggregateState {
        waits = List.copyOf(waits);
    }

    /** Why something waits. */
    public enum Cause {
        /** The first delivery waits for its next attempt, or for a handler that no live node has. */
        RETRY,
        /** The first delivery was given up with {@code outbox.dead-letter.order=block}: replay or discard it. */
        DEAD_LETTER,
        /** A pause covers the first delivery: resume it. */
        PAUSE,
        /** The first event is delayed, or the aggregate has one of too many long backlogs. */
        DELAY,
        /** No deployment has ever had a handler for the type of the first event. */
        NO_HANDLER
    }

    /**
     * What a handler group, or the whole aggregate, waits for. Components are never null unless their description says
     * so.
     *
     * @param group the handler group; null for the whole aggregate, and with {@link Cause#NO_HANDLER}
     * @param cause why it waits
     * @param messageId the first event that waits; null if it was delivered meanwhile
     * @param handler that event's handler; null where {@code group} is null
     * @param attempts how many attempts have counted so far for that event and handler
     * @param dueAt the earliest time of the next attempt, on the database's clock; null if it waits for an operator or
     *     for a handler
     * @param error the error of the last attempt, truncated; null if there was none
     */
    public record Wait(
            String group, Cause cause, UUID messageId, String handler, int attempts, Instant dueAt, String error) {}
}
