package io.outboxed.internal.store;

import java.util.regex.Pattern;

/**
 * What the errors of one cause have in common: the beginning of their text up to what differs from event to event. A
 * class ends before a colon, other text before a number, a quote, a bracket or the end of the line.
 *
 * <p>Whether a character ends the text depends only on the text before it, so the text and what follows it say which
 * errors are of a kind. That is a condition of SQL too; see {@code ErrorKindCondition}.
 */
public record ErrorKind(String text) {
    /** As many characters at most: what begins with them is of that kind, whatever follows. */
    private static final int LONGEST = 120;

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_$.]*");
    private static final String ALWAYS_ENDS = "'\"[{<\n\r\t";
    private static final String DIGITS = "0123456789";

    /** @param error null for none, which is of the kind with an empty text */
    public static ErrorKind of(String error) {
        if (error == null || error.isEmpty()) {
            return new ErrorKind("");
        }
        boolean isName = true;
        int[] characters = error.codePoints().limit(LONGEST).toArray();
        for (int i = 0; i < characters.length; i++) {
            if (i > 0 && ends(characters[i], isName)) {
                return new ErrorKind(withoutSpaces(new String(characters, 0, i)));
            }
            isName = isName && NAME.matcher(Character.toString(characters[i])).matches();
        }
        String all = new String(characters, 0, characters.length);
        return new ErrorKind(characters.length == LONGEST ? all : withoutSpaces(all));
    }

    private static boolean ends(int character, boolean afterName) {
        return ALWAYS_ENDS.indexOf(character) >= 0 || (afterName ? character == ':' : DIGITS.indexOf(character) >= 0);
    }

    private static String withoutSpaces(String begin) {
        int end = begin.length();
        while (end > 1 && begin.charAt(end - 1) == ' ') {
            end--;
        }
        return begin.substring(0, end);
    }

    /** The name of a class, or a single word. */
    public boolean isName() {
        return NAME.matcher(text).matches();
    }

    public boolean isCut() {
        return text.codePointCount(0, text.length()) >= LONGEST;
    }
}
