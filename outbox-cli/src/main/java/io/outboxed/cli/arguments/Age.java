package io.outboxed.cli.arguments;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A duration of an argument: a number and a unit. */
public record Age(Duration duration) {
    public static final String WORDS = "30m, 2h or 90d";
    private static final Pattern TEXT = Pattern.compile("(\\d{1,6})([smhd])");

    public boolean isWithin(Duration least, Duration most) {
        return duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0;
    }

    static Duration of(String number, String unit) {
        long count = Long.parseLong(number);
        return switch (unit) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    /** Parses an argument. */
    public static final class Converter implements ITypeConverter<Age> {
        @Override
        public Age convert(String text) {
            Matcher age = TEXT.matcher(text);
            if (!age.matches()) {
                throw new TypeConversionException("\"" + text + "\" is no duration, expected for example " + WORDS);
            }
            return new Age(of(age.group(1), age.group(2)));
        }
    }
}
