package io.outboxed.internal.operations;

import io.outboxed.admin.WaitingItem;

/**
 * The end of a page of what waits.
 *
 * @param handler empty for a message
 */
public record WaitingPosition(long seq, String handler) {
    private static final String BETWEEN = "_";

    /** No message has a longer number. The positions of other lists begin with a time, which has more digits. */
    private static final String NUMBER = "\\d{1,15}";

    public static WaitingPosition of(WaitingItem last) {
        return new WaitingPosition(last.seq(), last.handler() == null ? "" : last.handler());
    }

    /**
     * Parses a text of {@link #text}; returns null for null.
     *
     * @throws IllegalArgumentException for what {@link #text} never returns
     */
    public static WaitingPosition of(String text) {
        if (text == null) {
            return null;
        }
        String[] parts = text.split(BETWEEN, 2);
        if (parts.length < 2 || !parts[0].matches(NUMBER)) {
            throw new IllegalArgumentException("after is no WaitingPage.next(): it has " + text.length()
                    + " characters. Pass null for the first page");
        }
        return new WaitingPosition(Long.parseLong(parts[0]), parts[1]);
    }

    public String text() {
        return seq + BETWEEN + handler;
    }
}
