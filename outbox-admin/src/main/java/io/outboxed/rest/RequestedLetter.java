package io.outboxed.rest;

import io.outboxed.DeadLetter;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.EditedReplay;
import io.outboxed.admin.ReplayResult;
import io.outboxed.admin.StoredEvent;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.util.Optional;
import java.util.UUID;

/**
 * The dead letter that a request changes.
 *
 * @param seen only this one; null for whichever there is, because the operator has not said what they have seen
 */
record RequestedLetter(OutboxAdmin admin, UUID id, String handler, DeadLetter seen) {

    /** @param ifMatch the header, or null */
    static RequestedLetter of(OutboxAdmin admin, UUID id, String handler, String ifMatch) {
        if (ifMatch == null) {
            return new RequestedLetter(admin, id, handler, null);
        }
        Optional<StoredEvent> event = admin.event(id);
        Optional<DeadLetter> read = event.flatMap(each -> ofHandler(each, handler));
        if (read.isEmpty()) {
            requirePossible(admin, id, handler);
        }
        ETag.of(event.orElseThrow(() -> MessageResource.unknown(id))).check(ifMatch);
        DeadLetter seen = ETag.isAny(ifMatch) ? null : read.orElseThrow(RequestedLetter::nothingToChange);
        return new RequestedLetter(admin, id, handler, seen);
    }

    /** As the change would, which is not asked for if no such dead letter was read: any question refuses such a name. */
    private static void requirePossible(OutboxAdmin admin, UUID id, String handler) {
        try {
            admin.heldUpBy(id, handler);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.INVALID, e.getMessage() + "; nothing was changed.");
        }
    }

    private static Optional<DeadLetter> ofHandler(StoredEvent event, String handler) {
        return event.deadLetters().stream()
                .filter(letter -> letter.handler().equals(handler))
                .findFirst();
    }

    ReplayResult replay(boolean allowReordering, Attribution by) {
        return seen == null ? admin.replay(id, handler, allowReordering, by) : admin.replay(seen, allowReordering, by);
    }

    EditedReplay replayEdited(String payload, boolean allowReordering, Attribution by) {
        return seen == null
                ? admin.replayEdited(id, handler, payload, allowReordering, by)
                : admin.replayEdited(seen, payload, allowReordering, by);
    }

    boolean discard(Attribution by) {
        return seen == null ? admin.discard(id, handler, by) : admin.discard(seen, by);
    }

    /** Why it was not found. */
    ProblemException missing() {
        if (seen != null) {
            return ETag.changed();
        }
        return admin.event(id).isPresent() ? nothingToChange() : MessageResource.unknown(id);
    }

    private static ProblemException nothingToChange() {
        return new ProblemException(
                ProblemType.NOTHING_TO_CHANGE,
                "There is no dead letter of it for this handler: another operator may have changed it first. Nothing"
                        + " was changed.");
    }
}
