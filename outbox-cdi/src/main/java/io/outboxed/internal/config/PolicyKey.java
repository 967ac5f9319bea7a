package io.outboxed.internal.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A key that applies to one type or one handler: {@code outbox.retry."order.placed".max-attempts}. The quotes are
 * optional around a name without dots.
 *
 * @param prefix what the general key begins with: {@code outbox.retry.}
 * @param owner the name of the type or handler
 */
record PolicyKey(String prefix, String owner, String attribute) {
    private static final String GENERAL = "(outbox\\.(?:retry|dead-letter)\\.)";
    private static final Pattern QUOTED = Pattern.compile(GENERAL + "\"([^\"]+)\"\\.([^.]+)");
    private static final Pattern PLAIN = Pattern.compile(GENERAL + "([^.\"]+)\\.([^.]+)");
    private static final Pattern UNQUOTED = Pattern.compile(GENERAL + "(.+)\\.([^.]+)");

    static Optional<PolicyKey> of(String name) {
        for (Pattern form : List.of(QUOTED, PLAIN)) {
            Matcher matcher = form.matcher(name);
            if (matcher.matches()) {
                return Optional.of(new PolicyKey(matcher.group(1), matcher.group(2), matcher.group(3)));
            }
        }
        return Optional.empty();
    }

    /** What was probably meant by a name that contains dots and is not quoted. */
    static Optional<PolicyKey> unquoted(String name) {
        Matcher matcher = UNQUOTED.matcher(name);
        return matcher.matches()
                ? of(matcher.group(1) + "\"" + matcher.group(2).replace("\"", "") + "\"." + matcher.group(3))
                : Optional.empty();
    }

    /** The prefix of this general key and of its specific forms. */
    static String prefixOf(ConfigKey<?> general) {
        return general.name().substring(0, general.name().lastIndexOf('.') + 1);
    }

    boolean isKnown() {
        return ConfigKeys.PER_TYPE_OR_HANDLER.stream()
                .anyMatch(key -> key.name().equals(prefix + attribute));
    }

    /** The same owner's keys with this prefix, in both spellings if its name has no dots. */
    List<String> siblings() {
        String quoted = "\"" + owner + "\"";
        List<String> spellings = owner.indexOf('.') < 0 ? List.of(quoted, owner) : List.of(quoted);
        return ConfigKeys.PER_TYPE_OR_HANDLER.stream()
                .filter(key -> prefixOf(key).equals(prefix))
                .map(key -> key.name().substring(prefix.length()))
                .flatMap(own -> spellings.stream().map(spelling -> prefix + spelling + "." + own))
                .toList();
    }
}
