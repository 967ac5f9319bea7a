package io.outboxed.bench;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Progress, for whoever watches. */
public final class Say {
    private Say() {}

    public static void progress(String format, Object... values) {
        LocalTime now = LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
        line(now + "  " + String.format(Locale.ROOT, format, values));
    }

    public static void line(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
