package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Event;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The kinds of the writers' transactions, as the committed events of a whole run show them. */
public enum WriterKind {
    LOCKED("... of writers that lock a row, those with an even number"),
    VERSIONED("... of writers that rely on a version"),
    BULK("... of writers of twenty events, those with an even number"),
    TRANSFER("... of the type that only the next version of the application has"),
    REMINDER("... that are due later");

    public final String text;

    WriterKind(String text) {
        this.text = text;
    }

    /** How many events only transactions of each kind have written. */
    public static Map<WriterKind, Long> committed(Facts facts) {
        Map<WriterKind, Long> counts = new EnumMap<>(WriterKind.class);
        for (WriterKind kind : values()) {
            counts.put(kind, 0L);
        }
        facts.committed().values().forEach(event -> of(event).ifPresent(kind -> counts.merge(kind, 1L, Long::sum)));
        return counts;
    }

    /** Both writers that lock rows deposit odd numbers; even ones are withdrawn by those of twenty events. */
    private static Optional<WriterKind> of(Event event) {
        if (event.isReminder()) {
            return Optional.of(REMINDER);
        }
        if (event.isOnlyForNextVersion()) {
            return Optional.of(TRANSFER);
        }
        if (event.account().startsWith("V")) {
            return Optional.of(VERSIONED);
        }
        if (event.type().equals("withdrawn")) {
            return Optional.of(BULK);
        }
        return event.number() % 2 == 0 ? Optional.of(LOCKED) : Optional.empty();
    }
}
