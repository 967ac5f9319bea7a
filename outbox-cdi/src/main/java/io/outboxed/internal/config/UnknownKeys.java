package io.outboxed.internal.config;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Finds {@code outbox.*} keys that are not known. Otherwise a misspelt key would be ignored silently. */
final class UnknownKeys {
    private static final String ENVIRONMENT_PREFIX = "OUTBOX_";

    private UnknownKeys() {}

    /** One sentence for each unknown key, with the closest known one. */
    static List<String> in(Iterable<String> names) {
        List<String> elsewhere =
                ServiceLoader.load(ConfigKeyContributor.class, UnknownKeys.class.getClassLoader()).stream()
                        .map(each -> environmentForm(each.get().prefix()))
                        .toList();
        Set<String> all = StreamSupport.stream(names.spliterator(), false)
                .filter(name -> name.startsWith(ConfigKeys.PREFIX) || name.startsWith(ENVIRONMENT_PREFIX))
                .filter(name -> elsewhere.stream().noneMatch(environmentForm(name)::startsWith))
                .collect(Collectors.toSet());
        Set<String> known = Stream.concat(
                        ConfigKeys.ALL.stream().map(ConfigKey::name),
                        all.stream().flatMap(UnknownKeys::ofItsPolicy))
                .map(UnknownKeys::environmentForm)
                .collect(Collectors.toSet());
        // an environment variable may be listed under its own name and under a dotted one: report it once
        Map<String, String> unknown = new TreeMap<>();
        for (String name : all) {
            if (!known.contains(environmentForm(name))) {
                unknown.merge(environmentForm(name), name, UnknownKeys::asWritten);
            }
        }
        return unknown.values().stream().map(UnknownKeys::sentence).toList();
    }

    /** All keys of the same owner: a variable of the environment may give one that no file has. */
    private static Stream<String> ofItsPolicy(String name) {
        return PolicyKey.of(name).filter(PolicyKey::isKnown).stream().flatMap(key -> key.siblings().stream());
    }

    private static String asWritten(String one, String other) {
        return one.startsWith(ENVIRONMENT_PREFIX) ? one : other;
    }

    private static String sentence(String name) {
        String nearest = candidates(name)
                .min(Comparator.comparingInt(
                        known -> EditDistance.between(environmentForm(known), environmentForm(name))))
                .orElseThrow();
        boolean variable = name.startsWith(ENVIRONMENT_PREFIX);
        return name + " is not a known key and has no effect; the closest one is "
                + (variable ? environmentForm(nearest) : nearest);
    }

    private static Stream<String> candidates(String name) {
        Stream<String> general = ConfigKeys.ALL.stream().map(ConfigKey::name);
        Optional<PolicyKey> specific = PolicyKey.of(name).or(() -> PolicyKey.unquoted(name));
        return Stream.concat(specific.stream().flatMap(key -> key.siblings().stream()), general);
    }

    /** The environment variable for a key by MicroProfile's rule; also makes all spellings of a key equal. */
    private static String environmentForm(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
