package io.outboxed.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the checks found: how often, and a few examples with all that is known about them. */
final class Findings {
    private static final int EXAMPLES = 5;

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final Map<Kind, List<String>> examples = new EnumMap<>(Kind.class);

    enum Kind {
        LOST("lost: committed, and a handler neither succeeded nor left a dead letter", true),
        GHOSTS("ghosts: called or effected, never committed", true),
        DOUBLED("doubled effects of transactional handlers", true),
        REORDERED("reordered in an aggregate and handler group", true),
        OVERLAPPED("two calls at once in an aggregate and handler group", true),
        OLDER_STATE("receivers that ended with an older state", true),
        EARLY("tries before their time", true),
        DEAD_UNEXPECTED("dead letters that nobody ordered", true),
        DEAD_MISSING("dead letters that are missing at the end", true),
        DEAD_OF_CRASHES(
                "dead letters of events that ran when nodes died, by the rule for events that kill nodes", false),
        REPEATED_OUTSIDE("calls of outside handlers that repeat a success", false),
        REPEATED_WITHOUT_FAULT("... without a fault at their node or database that explains it", false),
        NOT_ENDED("calls that their node's death cut off", false),
        LATE_OF_WOKEN("calls in the first second after a node woke (of these, repeats and overlaps are not judged)", false),
        OVERLAPPED_STALLED("overlaps with a call whose node was frozen or cut off meanwhile (not promised)", false);

        final String text;
        final boolean forbidden;

        Kind(String text, boolean forbidden) {
            this.text = text;
            this.forbidden = forbidden;
        }
    }

    void add(Kind kind, String example) {
        counts.merge(kind, 1, Integer::sum);
        List<String> kept = examples.computeIfAbsent(kind, none -> new ArrayList<>());
        if (kept.size() < EXAMPLES) {
            kept.add(example);
        }
    }

    int count(Kind kind) {
        return counts.getOrDefault(kind, 0);
    }

    List<String> examples(Kind kind) {
        return examples.getOrDefault(kind, List.of());
    }

    boolean allowed() {
        return counts.keySet().stream().noneMatch(kind -> kind.forbidden);
    }
}
