package io.outboxed.internal.store;

import io.outboxed.DeadLetter;
import io.outboxed.internal.database.EpochMicros;
import java.util.UUID;

/**
 * The position of a dead letter in the order of death: the end of a page.
 *
 * @param diedAtMicros microseconds since 1970 UTC, on the database's clock
 */
public record DeadLetterPosition(long diedAtMicros, UUID messageId, String handler) {
    private static final String BETWEEN = "_";

    public static DeadLetterPosition of(DeadLetter letter) {
        return new DeadLetterPosition(EpochMicros.of(letter.diedAt()), letter.messageId(), letter.handler());
    }

    /**
     * Parses a text of {@link #text}; returns null for null.
     *
     * @throws IllegalArgumentException for what {@link #text} never returns
     */
    public static DeadLetterPosition of(String text) {
        if (text == null) {
            return null;
        }
        String[] parts = text.split(BETWEEN, 3);
        try {
            DeadLetterPosition position =
                    new DeadLetterPosition(Long.parseLong(parts[0]), UUID.fromString(parts[1]), parts[2]);
            if (text.equals(position.text())) {
                return position;
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

    /** Opaque for the application. */
    public String text() {
        return diedAtMicros + BETWEEN + messageId + BETWEEN + handler;
    }
}
