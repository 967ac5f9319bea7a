package io.outboxed.internal.database;

import java.util.Locale;

/** A number and what it counts, in the singular or the plural, for messages. */
public final class Counted {
    private Counted() {}

    /** {@code 1 row} or {@code 1,000 rows}. */
    public static String of(long count, String one) {
        return of(count, one, one + "s");
    }

    /** {@code at least 1,000 rows} if counting stopped at that number. */
    public static String upTo(long most, long count, String one, String many) {
        return (count >= most ? "at least " : "") + of(count, one, many);
    }

    /** {@code 1 delivery was} or {@code 2 deliveries were}. */
    public static String of(long count, String one, String many) {
        return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
    }
}
