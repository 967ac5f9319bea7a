package io.outboxed.internal.store.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;

/**
 * The handlers of each event type, as registered by all deployments, with their groups. The version grows with every
 * new handler and with every change of a group.
 */
public record RegistrySnapshot(long version, Map<String, SortedMap<String, String>> handlers) {
    public static final RegistrySnapshot EMPTY = new RegistrySnapshot(0, Map.of());

    /** The handlers of a type: handler to group. */
    public SortedMap<String, String> of(String type) {
        return handlers.getOrDefault(type, Collections.emptySortedMap());
    }
}
