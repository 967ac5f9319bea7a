package io.outboxed.cli;

import io.outboxed.servers.database.RealDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Makes what a command prints comparable with what the page shows, where the two have to differ: in the clock and in the
 * database's address.
 *
 * @param now when the text was printed
 */
record ExampleText(Instant now, Pattern place) {
    private static final Path PAGE = Path.of("..", "docs", "command-line.md");
    private static final Pattern PAGE_TIME = Pattern.compile("db:5432/shop at (\\S+)");

    private static final Pattern TIME =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|\\+0000)");
    private static final Pattern AGE = Pattern.compile("[+-]?\\d+\\.\\d+ s\\b");
    private static final Pattern ROUND_TRIP = Pattern.compile("round trip \\d+ ms");
    private static final Pattern PARTITION = Pattern.compile("(?<![a-z0-9])p(\\d{8})\\b");
    private static final Pattern BOUND = Pattern.compile("\\((\\d{16})\\)");
    /** Of an audit row, whose id is random. */
    private static final Pattern POSITION = Pattern.compile("(?m)--after \\d{16}_[0-9a-f-]{36}$");

    private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;

    static ExampleText ofThePage() throws IOException {
        MatchResult time =
                PAGE_TIME.matcher(Files.readString(PAGE)).results().findFirst().orElseThrow();
        return new ExampleText(Instant.parse(time.group(1)), Pattern.compile("(postgresql|mysql) db:\\d+/shop"));
    }

    static ExampleText of(RealDatabase server) {
        String kind = server.url().split(":")[1];
        return new ExampleText(
                Instant.now(), Pattern.compile(Pattern.quote(kind + " 127.0.0.1:" + server.port() + "/outbox")));
    }

    String comparable(String text) {
        String same = TIME.matcher(place.matcher(text.strip()).replaceAll("<place>"))
                .replaceAll(found -> isNow(found.group()) ? "<now>" : found.group());
        same = ROUND_TRIP.matcher(AGE.matcher(same).replaceAll("<age>")).replaceAll("round trip <time>");
        same = POSITION.matcher(same).replaceAll("--after <position>");
        same = PARTITION
                .matcher(same)
                .replaceAll(found -> "p<" + daysFromNow(LocalDate.parse(found.group(1), DAY)) + ">");
        return BOUND.matcher(same).replaceAll(found -> "(<" + daysFromNow(day(Long.parseLong(found.group(1)))) + ">)");
    }

    /** Not of a row that was there before. */
    private boolean isNow(String time) {
        Instant at = OffsetDateTime.parse(time.replace("+0000", "Z")).toInstant();
        return Duration.between(now, at).abs().compareTo(Duration.ofMinutes(30)) < 0;
    }

    private long daysFromNow(LocalDate day) {
        return ChronoUnit.DAYS.between(LocalDate.ofInstant(now, ZoneOffset.UTC), day);
    }

    private static LocalDate day(long micros) {
        return LocalDate.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
    }
}
