package io.outboxed.internal.store;

import io.outboxed.admin.Pause;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.RegistrySnapshot;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The handlers of each type, and the version of the registry. */
final class MemoryRegistrations implements HandlerRegistrations {
    private final MemoryTables tables;

    MemoryRegistrations(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public Versions register(Collection<HandlerRegistration> handlers) {
        boolean grew = false;
        long deployment = 0;
        for (HandlerRegistration each : handlers) {
            String before = tables.handlers
                    .computeIfAbsent(each.type(), type -> new TreeMap<>())
                    .put(each.handler(), each.group());
            grew |= !each.group().equals(before);
            if (before == null) {
                tables.handlerVersions.put(each.key(), tables.registryVersion + 1);
            }
            deployment = Math.max(deployment, tables.handlerVersions.get(each.key()));
        }
        if (grew) {
            tables.registryVersion++;
        }
        return new Versions(tables.registryVersion, deployment);
    }

    @Override
    public RegistrySnapshot snapshot() {
        Map<String, SortedMap<String, String>> copy = new TreeMap<>();
        tables.handlers.forEach((type, groups) -> copy.put(type, new TreeMap<>(groups)));
        Map<HandlerKey, Long> addedBy = new HashMap<>(tables.handlerVersions);
        addedBy.keySet()
                .removeIf(key ->
                        !copy.containsKey(key.type()) || !copy.get(key.type()).containsKey(key.handler()));
        return new RegistrySnapshot(tables.registryVersion, copy, addedBy);
    }

    @Override
    public List<Pause> pauses() {
        return List.copyOf(tables.pauses);
    }

    void lose(String type, String handler) {
        tables.handlers.get(type).remove(handler);
        tables.registryVersion--;
    }

    void retire(String type, String handler) {
        tables.handlers.get(type).remove(handler);
        tables.registryVersion++;
    }
}
