package io.outboxed.internal.store;

import java.util.UUID;

/**
 * A delivery that waits, although nothing will ever call its handler.
 *
 * @param lane where it waits
 * @param aggregateType empty for none
 * @param aggregateId empty for none
 */
public record RetiredDelivery(
        UUID messageId,
        long seq,
        LaneWait lane,
        String handler,
        String type,
        String aggregateType,
        String aggregateId) {}
