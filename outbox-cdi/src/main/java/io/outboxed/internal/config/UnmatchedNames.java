package io.outboxed.internal.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds keys for a type or a handler that does not exist here: its policy would be ignored silently. */
public final class UnmatchedNames {
    private UnmatchedNames() {}

    /**
     * One sentence for each name, with the closest one that exists.
     *
     * @param existing types and handlers of this deployment
     */
    public static List<String> in(OutboxConfig config, Collection<String> existing) {
        List<String> sentences = new ArrayList<>();
        add(
                sentences,
                PolicyKey.prefixOf(ConfigKeys.MAX_ATTEMPTS),
                config.retries().overrides().keySet(),
                existing);
        add(
                sentences,
                PolicyKey.prefixOf(ConfigKeys.DEAD_LETTER_ORDER),
                config.deadLetters().overrides().keySet(),
                existing);
        return sentences;
    }

    private static void add(
            List<String> sentences, String prefix, Set<String> configured, Collection<String> existing) {
        for (String name : new TreeSet<>(configured)) {
            if (!existing.contains(name)) {
                sentences.add(prefix + "\"" + name + "\" applies to nothing: this deployment handles no event type and"
                        + " has no handler of that name" + closest(name, existing));
            }
        }
    }

    private static String closest(String name, Collection<String> existing) {
        return existing.stream()
                .min(Comparator.comparingInt((String each) -> EditDistance.between(each, name))
                        .thenComparing(Comparator.naturalOrder()))
                .map(each -> "; the closest one is " + each)
                .orElse("");
    }
}
