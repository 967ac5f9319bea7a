package io.outboxed.internal.store;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which handlers each event type has, by all deployments' word; the version grows with every new handler. */
public record Registry(long version, Map<String, SortedSet<String>> handlers) {
    public static final Registry EMPTY = new Registry(0, Map.of());

    public SortedSet<String> of(String type) {
        return handlers.getOrDefault(type, new TreeSet<>());
    }
}
