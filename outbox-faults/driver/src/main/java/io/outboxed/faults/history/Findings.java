package io.outboxed.faults.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What the checks found: counts, and a few examples with all known details. */
public final class Findings {
    private static final int EXAMPLES = 5;

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final Map<Kind, List<String>> examples = new EnumMap<>(Kind.class);

    public enum Kind {
        LOST("lost: committed, but a handler neither succeeded nor left a dead letter", true),
        PHANTOM_EVENTS("phantom events: calls or effects of events that were never committed", true),
        DOUBLED("duplicate effects of transactional handlers", true),
        RECEIPT_DOUBLED("effects of an outside handler (`@Idempotent`) that were committed more than once", true),
        REQUEST_DOUBLED("requests whose effect (`Inbox.once`) was committed more than once", true),
        REQUEST_LOST("answered requests whose effect was not committed", true),
        REORDERED("reordered within an aggregate and handler group, but for late calls of woken nodes", true),
        OVERLAPPED("concurrent calls within an aggregate and handler group", true),
        OLDER_STATE("receivers left with an older state, but for late calls of woken nodes", true),
        EARLY("attempts before they were due", true),
        AGAIN_AT_ONCE(
                "attempts made again before their backoff, with no fault to keep the failure from being stored", true),
        TOO_MANY("attempts beyond `max-attempts`", true),
        COUNTED_BACK("attempts with a lower number than the one before, although nothing was replayed", true),
        DISCARDED("events whose dead letter was discarded by a bulk operation", false),
        BROUGHT_FORWARD("attempts that a bulk retry brought forward", false),
        DEAD_UNEXPECTED("unexpected dead letters", true),
        DEAD_MISSING("expected dead letters missing at the end", true),
        DEAD_OF_CRASHES("dead letters of events suspected of killing their nodes", false),
        DEAD_OF_FULL_DISK("dead letters whose last attempt failed because the database's disk was full", false),
        REPEATED_OUTSIDE("calls of outside handlers that repeated a success", false),
        REPEATED_LONG_BEFORE_FAULT(
                "... which could have been stored for two seconds before a fault at their node or database", true),
        REPEATED_WITHOUT_FAULT("... with no fault at their node or database to explain it", true),
        NOT_ENDED("calls cut off by the death of their node", false),
        LATE_OF_WOKEN("late calls of woken nodes: at most one of each worker, in the first 3 s (not promised)", false),
        OLDER_STATE_OF_WOKEN("... after which the receiver ends with an older state (not promised)", false),
        OVERLAPPED_STALLED(
                "overlaps with a call whose node was frozen or cut off at the time, or had lost its locks (not promised)",
                false);

        public final String text;
        public final boolean forbidden;

        Kind(String text, boolean forbidden) {
            this.text = text;
            this.forbidden = forbidden;
        }
    }

    public void add(Kind kind, String example) {
        counts.merge(kind, 1, Integer::sum);
        List<String> kept = examples.computeIfAbsent(kind, none -> new ArrayList<>());
        if (kept.size() < EXAMPLES) {
            kept.add(example);
        }
    }

    public int count(Kind kind) {
        return counts.getOrDefault(kind, 0);
    }

    public List<String> examples(Kind kind) {
        return examples.getOrDefault(kind, List.of());
    }

    /** @param say is given each kind of finding with its examples */
    public void explain(Consumer<String> say) {
        for (Kind kind : Kind.values()) {
            if (count(kind) > 0) {
                say.accept("\n" + kind.text + ": " + count(kind) + ", for example:\n    "
                        + String.join("\n    ", examples(kind)));
            }
        }
    }

    public boolean allowed() {
        return counts.keySet().stream().noneMatch(kind -> kind.forbidden);
    }
}
