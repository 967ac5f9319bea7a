package io.outboxed.admin;

import java.util.Objects;

/**
 * Who changes something, through what, and why. It is stored in the audit table and shown as it is, so it must not
 * contain secrets.
 *
 * @param who the person or the program, 1 to {@link #MAX_WHO} characters, such as the name of the caller's principal
 * @param via the way in, 1 to {@link #MAX_VIA} characters: {@code api}, {@code cli} or {@code rest}, or a word of the
 *     application's own; {@code node} is what a node did by itself, and does not count as an operator's change
 * @param why the reason; empty if none is given, at most {@link #MAX_WHY} characters
 */
public record Attribution(String who, String via, String why) {

    /** The longest name: 128 characters. */
    public static final int MAX_WHO = 128;

    /** The longest way in: 16 characters. */
    public static final int MAX_VIA = 16;

    /** The longest reason: 500 characters. */
    public static final int MAX_WHY = 500;

    /**
     * Checks the lengths. Control characters, format characters (such as those that change the direction of text) and
     * separators of lines are replaced by spaces.
     *
     * @param who the person or the program
     * @param via the way in
     * @param why the reason, or an empty text
     * @throws NullPointerException if one is null
     * @throws IllegalArgumentException if one is too long, or if {@code who} or {@code via} is blank
     */
    public Attribution {
        who = checked("who", who, MAX_WHO);
        via = checked("via", via, MAX_VIA);
        why = checked("why", why, MAX_WHY);
        if (who.isBlank() || via.isBlank()) {
            throw new IllegalArgumentException("who is \"" + who + "\" and via is \"" + via + "\", expected both");
        }
    }

    /**
     * A change by a call of the Java API.
     *
     * @param who the person or the program
     * @param why the reason, or an empty text
     * @return an attribution via {@code api}
     */
    public static Attribution of(String who, String why) {
        return new Attribution(who, "api", why);
    }

    private static String checked(String name, String value, int most) {
        Objects.requireNonNull(value, name);
        if (value.length() > most) {
            throw new IllegalArgumentException(
                    name + " has " + value.length() + " characters, expected at most " + most);
        }
        return value.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", " ");
    }
}
