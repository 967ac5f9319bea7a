package io.outboxed.internal.config;

import java.util.Collection;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;

/** What a MicroProfile Config source says about a key, before it is parsed. */
public final class ConfiguredText {
    /** One with a default has a colon. */
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^${}:]+)}");

    private ConfiguredText() {}

    /**
     * Empty if the key is not set, or set to nothing.
     *
     * @param problems receives a sentence if the value can't be read: it refers to a key that is not set
     */
    public static Optional<ConfigValue> of(Config source, String key, Collection<String> problems) {
        ConfigValue found;
        try {
            found = source.getConfigValue(key);
        } catch (NoSuchElementException | IllegalArgumentException e) {
            problems.add(key + ": can't be read: " + e.getClass().getName()
                    + " (its message may quote the value and is not shown)");
            return Optional.empty();
        }
        if (found == null || isBlank(found.getRawValue()) && isBlank(found.getValue())) {
            return Optional.empty();
        }
        if (found.getValue() == null) {
            problems.add(key + ": can't be read: it refers to an unset key" + unset(source, found.getRawValue())
                    + " (from " + found.getSourceName() + ")");
            return Optional.empty();
        }
        return Optional.of(found).filter(value -> !isBlank(value.getValue()));
    }

    /** Nothing else of the value, which may be a secret. */
    private static String unset(Config source, String value) {
        String names = REFERENCE
                .matcher(value)
                .results()
                .filter(reference -> !isReadable(source, reference.group(1)))
                .map(MatchResult::group)
                .distinct()
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : ": " + names;
    }

    private static boolean isReadable(Config source, String key) {
        try {
            ConfigValue found = source.getConfigValue(key);
            return found != null && found.getValue() != null;
        } catch (NoSuchElementException | IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }

    /**
     * The names of all keys, sorted. Payara lists a key of the active profile as it is written, {@code %prod.outbox…},
     * although its value is read without the prefix.
     */
    public static synchronized Set<String> names(Config source) {
        String profiles = source.getOptionalValue(Config.PROFILE, String.class).orElse("");
        Set<String> names = new TreeSet<>();
        for (String name : source.getPropertyNames()) {
            names.add(name);
            for (String profile : profiles.split(",")) {
                String prefix = "%" + profile.strip() + ".";
                if (!profile.isBlank() && name.startsWith(prefix)) {
                    names.add(name.substring(prefix.length()));
                }
            }
        }
        return names;
    }
}
