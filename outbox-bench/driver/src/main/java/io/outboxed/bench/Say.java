package io.outboxed.bench;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Prints the progress. */
public final class Say {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private Say() {}

    public static void progress(String format, Object... values) {
        line(CLOCK.format(LocalTime.now(ZoneId.systemDefault())) + "  " + String.format(Locale.ROOT, format, values));
    }

    public static void line(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
