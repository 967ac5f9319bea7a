package io.outboxed.internal.capture.event;

import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;

/** The text that stands for an id: equal ids must have the same one, and others another. */
public final class IdText {

    private IdText() {}

    /**
     * @param what names the id in the message
     * @return null if the id is null, or its {@code toString()} is
     * @throws OutboxException if the text is, or contains, that of {@link Object#toString()}, which identifies the object
     *     instead of its value
     */
    public static String of(Object id, String what) {
        String text = id == null ? null : id.toString();
        if (text == null || text.indexOf('@') < 0) {
            return text;
        }
        try {
            return PublishOptions.none().aggregate(null, id).aggregateId();
        } catch (IllegalArgumentException e) {
            throw new OutboxException("OUTBOX-0149", what + " can't be used; nothing was stored: " + e.getMessage());
        }
    }
}
