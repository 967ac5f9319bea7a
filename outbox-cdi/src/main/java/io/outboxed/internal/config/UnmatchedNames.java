package io.outboxed.internal.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Finds keys for a type or a handler that does not exist here: its policy would be ignored silently. */
public final class UnmatchedNames {
    private UnmatchedNames() {}

    /**
     * One sentence for each name, with the closest one that exists.
     *
     * @param existing types and handlers of this deployment
     */
    public static List<String> in(OutboxConfig config, Collection<String> existing) {
        return sentences(
                config,
                name -> !existing.contains(name),
                existing,
                " applies to nothing: this deployment handles no event type and has no handler of that name");
    }

    /**
     * One sentence for each name that is meant to be a handler's. Where events of any type are handled, every other name
     * may be a type.
     *
     * @param handlers handlers of this deployment
     */
    public static List<String> ofHandlersIn(OutboxConfig config, Collection<String> handlers) {
        return sentences(
                config,
                name -> !handlers.contains(name)
                        && handlers.stream()
                                .anyMatch(handler -> isMisspelt(name, handler) || isOnItsBean(name, handler)),
                handlers,
                " applies to no handler: there is none of that name");
    }

    private static boolean isMisspelt(String name, String handler) {
        return EditDistance.between(name, handler) <= Math.min(2, name.length() / 4);
    }

    /** By default a handler's name is that of its bean's class and of its method. */
    private static boolean isOnItsBean(String name, String handler) {
        int dot = handler.indexOf('.');
        return dot > 0 && Character.isUpperCase(handler.charAt(0)) && name.startsWith(handler.substring(0, dot + 1));
    }

    private static List<String> sentences(
            OutboxConfig config, Predicate<String> unmatched, Collection<String> existing, String problem) {
        List<String> sentences = new ArrayList<>();
        Map<String, Set<String>> configured = new LinkedHashMap<>();
        configured.put(
                PolicyKey.prefixOf(ConfigKeys.MAX_ATTEMPTS),
                config.retries().overrides().keySet());
        configured.put(
                PolicyKey.prefixOf(ConfigKeys.DEAD_LETTER_ORDER),
                config.deadLetters().overrides().keySet());
        configured.forEach((prefix, names) -> new TreeSet<>(names)
                .stream()
                        .filter(unmatched)
                        .forEach(name ->
                                sentences.add(prefix + "\"" + name + "\"" + problem + closest(name, existing))));
        return sentences;
    }

    private static String closest(String name, Collection<String> existing) {
        return existing.stream()
                .min(Comparator.comparingInt((String each) -> EditDistance.between(each, name))
                        .thenComparing(Comparator.naturalOrder()))
                .map(each -> "; the closest one is " + each)
                .orElse("");
    }
}
