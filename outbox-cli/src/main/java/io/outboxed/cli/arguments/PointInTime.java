package io.outboxed.cli.arguments;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time of an argument: a point, or how long ago on the database's clock. One of the two is null.
 *
 * @param ago not negative
 */
public record PointInTime(Instant point, Duration ago) {
    public static final String WORDS = "2026-11-21T10:00:00Z, or 30m, 2h or 7d ago";
    private static final Pattern AGO = Pattern.compile("(\\d{1,6})([smhd])");

    public Instant at(Instant now) {
        return point != null ? point : now.minus(ago);
    }

    /** Parses an argument. */
    public static final class Converter implements ITypeConverter<PointInTime> {
        @Override
        public PointInTime convert(String text) {
            Matcher ago = AGO.matcher(text);
            if (ago.matches()) {
                return new PointInTime(null, Age.of(ago.group(1), ago.group(2)));
            }
            try {
                return new PointInTime(OffsetDateTime.parse(text).toInstant(), null);
            } catch (DateTimeException e) {
                throw new TypeConversionException("\"" + text + "\" is no time, expected for example " + WORDS);
            }
        }
    }
}
