package io.outboxed.internal.config;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which setting of a forwarder applies to an event type. A pattern is a type, or the beginning of one and a star. */
public final class TypePatterns {
    public static final String IN_WORDS = "an event type, or the beginning of one and a *";

    private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9._:/-]{1,128}|[A-Za-z0-9._:/-]{0,127}\\*");

    private TypePatterns() {}

    public static boolean isPattern(String text) {
        return PATTERN.matcher(text).matches();
    }

    /** The value of the longest pattern that matches; a whole type comes before a pattern with a star. */
    public static Optional<String> longestMatch(Map<String, String> byPattern, String type) {
        String exact = byPattern.get(type);
        return exact != null
                ? Optional.of(exact)
                : byPattern.entrySet().stream()
                        .filter(entry -> matches(entry.getKey(), type))
                        .max(Comparator.comparingInt(entry -> entry.getKey().length()))
                        .map(Map.Entry::getValue);
    }

    private static boolean matches(String pattern, String type) {
        return pattern.endsWith("*") && type.startsWith(pattern.substring(0, pattern.length() - 1));
    }
}
