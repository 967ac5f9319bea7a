package io.outboxed.internal.store;

import java.util.UUID;

/**
 * A delivery that waits for its next attempt, as operators see it.
 *
 * @param lane where it waits
 * @param aggregateType empty for none
 * @param aggregateId empty for none
 * @param lastError null before the first attempt
 */
public record ListedDelivery(
        UUID messageId,
        long seq,
        LaneWait lane,
        String handler,
        String type,
        String aggregateType,
        String aggregateId,
        int attempts,
        String lastError) {}
