package io.outboxed.internal.partitions;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.regex.Matcher;
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
    private static final Pattern OURS = Pattern.compile("p(\\d{6}(\\d{2}){0,2})(_([2-9]|[1-9]\\d+))?");

    private static final DateTimeFormatter HOUR =
            DateTimeFormatter.ofPattern("uuuuMMddHH").withResolverStyle(ResolverStyle.STRICT);

    public HistoryPartition {
        if (from >= to) {
            throw new IllegalArgumentException("partition " + name + " from " + from + " to " + to);
        }
    }

    /** Whether the maintainer could have made it; it drops no others. */
    boolean isOurs() {
        Matcher ours = OURS.matcher(name);
        return ours.matches() && isTime(ours.group(1));
    }

    /** @param digits of a month, a day or an hour, which may be none: there is no 30 February */
    private static boolean isTime(String digits) {
        String hour = switch (digits.length()) {
            case 6 -> digits + "01" + "00";
            case 8 -> digits + "00";
            default -> digits;
        };
        try {
            LocalDateTime.parse(hour, HOUR);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
