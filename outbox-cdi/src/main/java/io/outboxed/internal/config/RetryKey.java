package io.outboxed.internal.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A key of the retry policy of one type or one handler: {@code outbox.retry."order.placed".max-attempts}. The quotes
 * are optional around a name without dots.
 */
record RetryKey(String written, String owner, String attribute) {
    private static final Pattern QUOTED = Pattern.compile("outbox\\.retry\\.\"([^\"]+)\"\\.([^.]+)");
    private static final Pattern PLAIN = Pattern.compile("outbox\\.retry\\.([^.\"]+)\\.([^.]+)");

    static Optional<RetryKey> of(String name) {
        for (Pattern form : List.of(QUOTED, PLAIN)) {
            Matcher matcher = form.matcher(name);
            if (matcher.matches()) {
                return Optional.of(new RetryKey(name, matcher.group(1), matcher.group(2)));
            }
        }
        return Optional.empty();
    }

    boolean isKnown() {
        return ConfigKeys.OF_ONE_RETRY.stream().anyMatch(key -> key.name().equals(ConfigKeys.RETRY + attribute));
    }

    /** The key with another attribute for the same owner, spelled like this key. */
    String sibling(ConfigKey<?> general) {
        return written.substring(0, written.length() - attribute.length())
                + general.name().substring(ConfigKeys.RETRY.length());
    }
}
