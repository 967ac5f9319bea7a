package io.outboxed.jms;

import io.outboxed.internal.config.TypePatterns;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is configured under {@code outbox.jms}. Built and validated by {@link JmsSettingsReader}.
 *
 * @param routes JNDI names of destinations by {@linkplain TypePatterns pattern}
 * @param connectionFactory its JNDI name
 * @param source the {@code source} of CloudEvents
 * @param skipUnrouted whether an event without a route is done; otherwise it becomes a dead letter
 */
record JmsSettings(Map<String, String> routes, String connectionFactory, String source, boolean skipUnrouted) {

    JmsSettings {
        routes = new LinkedHashMap<>(routes);
    }

    /** Empty if no route matches the type. */
    Optional<String> destinationOf(String type) {
        return TypePatterns.longestMatch(routes, type);
    }

    Set<String> destinations() {
        return new TreeSet<>(routes.values());
    }
}
