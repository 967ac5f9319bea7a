package io.outboxed.internal.capture.event;

import io.outboxed.OutboxException;

/** The text that stands for an id: equal ids must have the same one, and others another. */
public final class IdText {

    private IdText() {}

    /**
     * @param what names the id in the message
     * @return null if the id is null, or its {@code toString()} is
     * @throws OutboxException if the text is that of {@link Object#toString()}, which tells the object and not its value
     */
    public static String of(Object id, String what) {
        String text = id == null ? null : id.toString();
        if (text != null && text.indexOf('@') >= 0 && text.equals(ofObject(id))) {
            throw new OutboxException(
                    "OUTBOX-0149",
                    what + " is " + (id.getClass().isArray() ? "an array, " : "a ")
                            + id.getClass().getTypeName()
                            + ", which has no toString() of its own, so an equal id may have another text, and another id"
                            + " the same. Nothing was stored; use a String, a number or a UUID, or give the class a"
                            + " toString()");
        }
        return text;
    }

    private static String ofObject(Object id) {
        return id.getClass().getName() + "@" + Integer.toHexString(id.hashCode());
    }
}
