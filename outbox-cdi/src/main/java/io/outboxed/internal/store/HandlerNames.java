package io.outboxed.internal.store;

import java.util.regex.Pattern;

/** Which names handlers can have. */
public final class HandlerNames {
    private static final Pattern POSSIBLE = Pattern.compile("[A-Za-z0-9._-]{1,128}");

    private HandlerNames() {}

    public static boolean isPossible(String name) {
        return POSSIBLE.matcher(name).matches();
    }

    /**
     * Checks the handler of a delivery that is asked for by name. MySQL and MariaDB would find it although the name has
     * spaces at its end, and record a name that no handler has.
     *
     * @throws IllegalArgumentException if no delivery can have it
     */
    public static void require(String name) {
        if (!isPossible(name) && !name.equals(LaneWait.NO_HANDLER)) {
            throw new IllegalArgumentException(
                    "no handler can have this name, expected 1 to 128 letters, digits, '.', '_' or '-'");
        }
    }
}
