package io.outboxed;

import java.util.UUID;

/**
 * Fired as a CDI event after a handler's delivery was given up and its dead letter is stored.
 *
 * <p>Observers run on a thread of the relay without a transaction, on the node that gave up, at most once. What must not
 * be missed is read from the dead letters in the database.
 *
 * @param handlerGroup see {@link HandlerGroup}
 * @param error the last failure's class and message, cleaned and cut
 */
public record DeadLetter(
        UUID messageId,
        String type,
        String aggregateType,
        String aggregateId,
        String handler,
        String handlerGroup,
        int attempts,
        String error) {}
