package io.outboxed.internal.config;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;

/** What a MicroProfile Config source says about a key, before it is parsed. */
public final class ConfiguredText {
    private ConfiguredText() {}

    /**
     * Empty if the key is not set, or set to nothing.
     *
     * @param problems receives a sentence if the value can't be read: it refers to a key that is not set
     */
    public static Optional<ConfigValue> of(Config source, String key, List<String> problems) {
        ConfigValue found;
        try {
            found = source.getConfigValue(key);
        } catch (NoSuchElementException | IllegalArgumentException e) {
            problems.add(key + ": can't be read: " + e.getMessage());
            return Optional.empty();
        }
        if (found == null || isBlank(found.getRawValue()) && isBlank(found.getValue())) {
            return Optional.empty();
        }
        if (found.getValue() == null) {
            problems.add(key + ": can't be read: " + found.getRawValue() + " refers to an unset key (from "
                    + found.getSourceName() + ")");
            return Optional.empty();
        }
        return Optional.of(found).filter(value -> !isBlank(value.getValue()));
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }

    /**
     * The names of all keys, sorted. Payara lists a key of the active profile as it is written, {@code %prod.outbox…},
     * although its value is read without the prefix.
     */
    public static Set<String> names(Config source) {
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
