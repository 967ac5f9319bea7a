package io.outboxed.admin;

import java.time.Instant;
import java.util.UUID;

/**
 * Dead letters with the same handler, event type and kind of error. Components are never null.
 *
 * @param handler the handler's name
 * @param type the event's type
 * @param error the class of the error, or the beginning of its text, without what differs from event to event. With the
 *     handler and the type, the {@code errorKind} of a filter finds exactly these dead letters. Empty if no error is
 *     stored; no filter selects these
 * @param count how many of the dead letters that were read, 1 or more
 * @param firstDiedAt the earliest time of death among them, on the database's clock
 * @param lastDiedAt the latest one
 * @param sample the event of the latest one
 */
public record FailureGroup(
        String handler, String type, String error, long count, Instant firstDiedAt, Instant lastDiedAt, UUID sample) {}
