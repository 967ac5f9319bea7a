package io.outboxed.internal.store;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;

/**
 * Which handlers each event type has, by all deployments' word, and the group of each; the version grows with every new
 * handler and with every change of a group.
 */
public record RegistrySnapshot(long version, Map<String, SortedMap<String, String>> handlers) {
    public static final RegistrySnapshot EMPTY = new RegistrySnapshot(0, Map.of());

    /** Handler to group. */
    public SortedMap<String, String> of(String type) {
        return handlers.getOrDefault(type, Collections.emptySortedMap());
    }
}
