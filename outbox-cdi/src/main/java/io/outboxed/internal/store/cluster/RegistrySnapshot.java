package io.outboxed.internal.store.cluster;

import io.outboxed.internal.store.HandlerKey;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The handlers of each event type, as registered by all deployments, with their groups. Those of
 * {@link HandlerKey#ANY_TYPE} are handlers of every type. The version grows with every new handler and with every change
 * of a group.
 *
 * @param addedBy the version that added each handler, as it was registered
 */
public record RegistrySnapshot(
        long version, Map<String, SortedMap<String, String>> handlers, Map<HandlerKey, Long> addedBy) {
    public static final RegistrySnapshot EMPTY = new RegistrySnapshot(0, Map.of(), Map.of());

    /** @param handlers by type, as they were registered */
    public RegistrySnapshot {
        SortedMap<String, String> ofAny = handlers.get(HandlerKey.ANY_TYPE);
        if (ofAny != null) {
            Map<String, SortedMap<String, String>> all = new TreeMap<>();
            handlers.forEach((type, own) -> all.put(type, both(ofAny, own)));
            handlers = all;
        }
    }

    /** A handler that one deployment has for the type, and another one for any type, is one handler. */
    private static SortedMap<String, String> both(SortedMap<String, String> ofAny, SortedMap<String, String> own) {
        SortedMap<String, String> both = new TreeMap<>(ofAny);
        both.putAll(own);
        return both;
    }

    /** The handlers of a type: handler to group. */
    public SortedMap<String, String> of(String type) {
        SortedMap<String, String> known = handlers.get(type);
        return known != null ? known : handlers.getOrDefault(HandlerKey.ANY_TYPE, Collections.emptySortedMap());
    }

    /** The version that added the handler, for this type or for any, whichever is newer; 0 if none did. */
    public long versionOf(HandlerKey handler) {
        return Math.max(addedBy.getOrDefault(handler, 0L), addedBy.getOrDefault(handler.ofAnyType(), 0L));
    }

    /** The version that added the newest of a deployment's own handlers; 0 if none did. */
    public long deploymentOf(Set<HandlerKey> own) {
        return own.stream()
                .mapToLong(handler -> addedBy.getOrDefault(handler, 0L))
                .max()
                .orElse(0);
    }
}
