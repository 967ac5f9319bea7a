package io.outboxed.internal.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and prints durations: {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h}, {@code 1d}, {@code 0}, or ISO-8601. */
public final class Durations {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");
    private static final Map<String, ChronoUnit> UNITS = new TreeMap<>(Map.of(
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS));

    private Durations() {}

    static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        Matcher shortForm = SHORT.matcher(text);
        try {
            return Optional.of(
                    shortForm.matches()
                            ? Duration.of(Long.parseLong(shortForm.group(1)), UNITS.get(shortForm.group(2)))
                            : Duration.parse(text));
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** Prints the duration in the largest unit that shows it exactly. */
    public static String show(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 86_400_000 == 0 && millis > 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0 && millis > 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
