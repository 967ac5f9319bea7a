package io.outboxed.internal.partitions;

import java.util.regex.Pattern;

/**
 * A partition with an upper bound.
 *
 * @param name without the table's name, which PostgreSQL needs before it
 * @param from microseconds since 1970 UTC; {@link #BEGINNING} if there is no lower bound
 * @param to the first time that is not in it
 */
public record HistoryPartition(String name, long from, long to) {
    public static final long BEGINNING = Long.MIN_VALUE;

    /** An hour, day or month; with a number if the name was taken. */
    private static final Pattern OURS = Pattern.compile("p\\d{6}(\\d{2}){0,2}(_\\d+)?");

    public HistoryPartition {
        if (from >= to) {
            throw new IllegalArgumentException("partition " + name + " from " + from + " to " + to);
        }
    }

    /** Whether the maintainer could have made it; it drops no others. */
    boolean isOurs() {
        return OURS.matcher(name).matches();
    }
}
