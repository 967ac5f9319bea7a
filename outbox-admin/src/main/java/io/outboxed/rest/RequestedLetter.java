package io.outboxed.rest;

import io.outboxed.DeadLetter;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.EditedReplay;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.ReplayResult;
import io.outboxed.admin.StoredEvent;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
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
        requirePossible(handler);
        StoredEvent event = require(admin, id);
        ETag.of(event).check(ifMatch);
        return new RequestedLetter(admin, id, handler, ETag.isAny(ifMatch) ? null : ofHandler(event, handler));
    }

    /** As the change itself does, which is not asked for if no such dead letter was read. */
    private static void requirePossible(String handler) {
        try {
            PauseTarget.handler(handler).requireValidName();
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.INVALID, e.getMessage() + "; nothing was changed.");
        }
    }

    private static DeadLetter ofHandler(StoredEvent event, String handler) {
        return event.deadLetters().stream()
                .filter(letter -> letter.handler().equals(handler))
                .findFirst()
                .orElseThrow(RequestedLetter::nothingToChange);
    }

    ReplayResult replay(boolean acceptOrder, Attribution by) {
        return seen == null ? admin.replay(id, handler, acceptOrder, by) : admin.replay(seen, acceptOrder, by);
    }

    EditedReplay replayEdited(String payload, boolean acceptOrder, Attribution by) {
        return seen == null
                ? admin.replayEdited(id, handler, payload, acceptOrder, by)
                : admin.replayEdited(seen, payload, acceptOrder, by);
    }

    boolean discard(Attribution by) {
        return seen == null ? admin.discard(id, handler, by) : admin.discard(seen, by);
    }

    /** Why it was not found. */
    ProblemException missing() {
        if (seen != null) {
            return ETag.changed();
        }
        require(admin, id);
        return nothingToChange();
    }

    private static StoredEvent require(OutboxAdmin admin, UUID id) {
        return admin.event(id).orElseThrow(() -> MessageResource.unknown(id));
    }

    private static ProblemException nothingToChange() {
        return new ProblemException(
                ProblemType.NOTHING_TO_CHANGE,
                "There is no dead letter of it for this handler: another operator may have changed it first. Nothing"
                        + " was changed.");
    }
}
