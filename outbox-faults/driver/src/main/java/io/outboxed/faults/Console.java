package io.outboxed.faults;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What the driver prints. */
final class Console {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private Console() {}

    static void progress(String format, Object... values) {
        line(CLOCK.format(LocalTime.now(ZoneId.systemDefault())) + "  " + String.format(Locale.ROOT, format, values));
    }

    static synchronized void line(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
