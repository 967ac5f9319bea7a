package io.outboxed;

import java.time.Instant;
import java.util.UUID;

/**
 * A delivery that was given up: one event, one handler. {@link DeadLetters} finds, replays and discards them.
 *
 * <p>It is also fired as a CDI event once it is stored, so that an application can raise an alarm:
 *
 * <pre>{@code
 * void alarm(@Observes DeadLetter letter) {
 *     pager.call(letter.handler() + " gave up " + letter.messageId() + ": " + letter.error());
 * }
 * }</pre>
 *
 * <p>Observers run on a relay thread of the node that gave up, without a transaction and in a request context of their
 * own. Each dead letter is announced at most once. It is not announced if the node stops first, if 1,000 others wait
 * because observers are slow or hang ({@code OUTBOX-0596}), if the stored letter can't be read ({@code OUTBOX-0595}), or
 * if it has already been replayed or discarded. An observer that throws is not called again for it, nor are those that
 * come after it ({@code OUTBOX-0593}). Use {@link DeadLetters#find} for anything that must not be missed.
 *
 * @param messageId the event's public id, the same as {@link OutboxMessage#id()}; a replay keeps it
 * @param type the event's type, 1 to 128 characters
 * @param aggregateType the aggregate's type, empty if the event has none, never null
 * @param aggregateId the aggregate's identity, empty if the event has none, never null
 * @param handler the name of the handler that gave up, see {@link HandlerName}
 * @param handlerGroup that handler's group, see {@link HandlerGroup}
 * @param attempts the number of attempts that counted, the last one included; deferrals do not count
 * @param error class and message of the last failure, truncated to 4,000 characters; control characters other
 *     than line feeds and tabs are replaced by spaces. Null if the database rejected the text ({@code OUTBOX-0390})
 * @param createdAt when the event was stored, in microseconds, on the database's clock
 * @param diedAt when the delivery was given up, in microseconds, on the database's clock
 * @param blocking true if later events of the aggregate wait for this dead letter within the handler group ({@code
 *     outbox.dead-letter.order=block}); false if they are delivered without waiting
 */
public record DeadLetter(
        UUID messageId,
        String type,
        String aggregateType,
        String aggregateId,
        String handler,
        String handlerGroup,
        int attempts,
        String error,
        Instant createdAt,
        Instant diedAt,
        boolean blocking) {}
