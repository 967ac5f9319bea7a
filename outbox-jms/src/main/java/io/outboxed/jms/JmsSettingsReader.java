package io.outboxed.jms;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.ConfiguredText;
import io.outboxed.internal.config.TypePatterns;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/** Reads {@code outbox.jms.*} from MicroProfile Config, and reports all problems together. */
final class JmsSettingsReader {
    private final Config source;
    private final List<String> problems = new ArrayList<>();

    private JmsSettingsReader(Config source) {
        this.source = source;
    }

    /** @throws OutboxException that lists all problems */
    static JmsSettings read(Config source) {
        JmsSettingsReader reader = new JmsSettingsReader(source);
        JmsSettings settings = new JmsSettings(
                reader.routes(), reader.connectionFactory(), reader.sourceOfEvents(), reader.skipUnrouted());
        reader.failOnProblems();
        return settings;
    }

    /** Names under {@code outbox.jms} that have no effect: probably misspelt. */
    static List<String> unknown(Config source) {
        return names(source).filter(name -> !JmsKeys.isKnown(name)).toList();
    }

    private static Stream<String> names(Config source) {
        return ConfiguredText.names(source).stream().filter(name -> name.startsWith(JmsKeys.PREFIX));
    }

    private Map<String, String> routes() {
        Map<String, String> routes = new LinkedHashMap<>();
        names(source).filter(name -> name.startsWith(JmsKeys.ROUTE_PREFIX)).forEach(name -> {
            String pattern = name.substring(JmsKeys.ROUTE_PREFIX.length()).replaceAll("^\"(.*)\"$", "$1");
            text(name).ifPresent(destination -> {
                if (!TypePatterns.isPattern(pattern)) {
                    problems.add(name + ": expected " + TypePatterns.IN_WORDS + ", got " + pattern);
                } else {
                    routes.put(pattern, jndiName(name, destination));
                }
            });
        });
        if (routes.isEmpty() && problems.isEmpty()) {
            problems.add(JmsKeys.ROUTE_PREFIX + "*: no route is set, so nothing would be forwarded. For example: "
                    + JmsKeys.ROUTE_PREFIX + "\"order.*\"=java:/jms/queue/orders");
        }
        return routes;
    }

    private String connectionFactory() {
        return jndiName(
                JmsKeys.CONNECTION_FACTORY,
                text(JmsKeys.CONNECTION_FACTORY).orElse(JmsKeys.DEFAULT_CONNECTION_FACTORY));
    }

    private String jndiName(String key, String name) {
        if (!name.matches("\\S+")) {
            problems.add(key + ": expected a JNDI name such as java:/jms/queue/orders, got " + name);
        }
        return name;
    }

    private String sourceOfEvents() {
        String text = text(JmsKeys.SOURCE).orElse(JmsKeys.DEFAULT_SOURCE);
        try {
            new URI(text);
        } catch (URISyntaxException e) {
            problems.add(JmsKeys.SOURCE + ": expected a URI reference such as /shop or https://example.org/shop, got "
                    + text);
        }
        return text;
    }

    private boolean skipUnrouted() {
        String word = text(JmsKeys.UNROUTED).orElse(JmsKeys.DEAD_LETTER);
        if (!word.equalsIgnoreCase(JmsKeys.DEAD_LETTER) && !word.equalsIgnoreCase(JmsKeys.SKIP)) {
            problems.add(JmsKeys.UNROUTED + ": expected " + JmsKeys.DEAD_LETTER + "|" + JmsKeys.SKIP + ", got " + word);
        }
        return word.equalsIgnoreCase(JmsKeys.SKIP);
    }

    private Optional<String> text(String key) {
        return ConfiguredText.of(source, key, problems)
                .map(written -> written.getValue().strip());
    }

    private void failOnProblems() {
        if (!problems.isEmpty()) {
            throw new OutboxException(
                    "OUTBOX-0820",
                    problems.size() + (problems.size() == 1 ? " setting is" : " settings are")
                            + " wrong for JMS; nothing was deployed:\n  " + String.join("\n  ", problems));
        }
    }
}
