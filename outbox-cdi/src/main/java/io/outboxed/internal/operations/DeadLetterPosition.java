package io.outboxed.internal.operations;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.internal.store.DeadLetterKey;
import java.util.List;
import java.util.UUID;

/** The end of a page as an opaque text for the application: time, message, handler. */
public final class DeadLetterPosition {
    private static final String BETWEEN = "_";

    private DeadLetterPosition() {}

    static String text(DeadLetterKey key) {
        return key.diedAtMicros() + BETWEEN + key.messageId() + BETWEEN + key.handler();
    }

    /** @param found one more than the page holds, if there are more */
    static DeadLetters.Page page(List<DeadLetter> found, int limit) {
        return found.size() <= limit
                ? new DeadLetters.Page(found, null)
                : new DeadLetters.Page(found.subList(0, limit), text(DeadLetterKey.of(found.get(limit - 1))));
    }

    /**
     * Parses a text of {@link #text}; returns null for null.
     *
     * @throws IllegalArgumentException for what {@link #text} never returns
     */
    public static DeadLetterKey of(String text) {
        if (text == null) {
            return null;
        }
        String[] parts = text.split(BETWEEN, 3);
        try {
            DeadLetterKey key = new DeadLetterKey(Long.parseLong(parts[0]), UUID.fromString(parts[1]), parts[2]);
            if (text.equals(text(key))) {
                return key;
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw refused(text, e);
        }
        throw refused(text, null);
    }

    private static IllegalArgumentException refused(String text, Exception cause) {
        return new IllegalArgumentException(
                "after is no Page.next() of DeadLetters.find: it has " + text.length()
                        + " characters. Pass null for the first page",
                cause);
    }
}
