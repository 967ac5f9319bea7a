package io.outboxed.internal.capture;

import io.outboxed.OutboxException;

/** Text that every database can store unchanged: valid Unicode without U+0000. */
final class StorableText {

    private StorableText() {}

    /**
     * @param what describes the text in the error message, which never contains the text itself
     * @return the number of bytes in UTF-8
     */
    static long utf8Bytes(String text, String what) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw new OutboxException(
                        "OUTBOX-0111",
                        what + " contains the character U+0000 at position " + i
                                + ", which PostgreSQL can't store: remove it, or publish bytes");
            }
            if (Character.isSurrogate(c)) {
                requirePair(text, i, what);
                i++;
                bytes += 4;
            } else {
                bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            }
        }
        return bytes;
    }

    private static void requirePair(String text, int i, String what) {
        boolean pair = Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
            throw new OutboxException(
                    "OUTBOX-0111",
                    what + " contains an unpaired surrogate at position " + i
                            + ", which can't be encoded in UTF-8: the text was truncated or decoded incorrectly");
        }
    }
}
