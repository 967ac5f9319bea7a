package io.outboxed.internal.database;

/**
 * Makes an error text acceptable to every database: without NUL, control characters and lone surrogates, and not too
 * long.
 */
public final class ErrorText {
    public static final int DELIVERY_LIMIT = 1000;
    public static final int DEAD_LETTER_LIMIT = 4000;

    private ErrorText() {}

    public static String clean(String text, int limit) {
        if (text == null) {
            return null;
        }
        StringBuilder clean = new StringBuilder(Math.min(text.length(), limit));
        int i = 0;
        while (i < text.length()) {
            int codePoint = text.codePointAt(i);
            if (clean.length() + Character.charCount(codePoint) > limit) {
                break;
            }
            clean.appendCodePoint(acceptable(codePoint));
            i += Character.charCount(codePoint);
        }
        return clean.toString();
    }

    private static int acceptable(int codePoint) {
        if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
            return '\uFFFD';
        }
        boolean layout = codePoint == '\n' || codePoint == '\t';
        return Character.isISOControl(codePoint) && !layout ? ' ' : codePoint;
    }
}
