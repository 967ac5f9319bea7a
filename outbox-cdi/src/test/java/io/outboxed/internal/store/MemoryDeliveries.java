package io.outboxed.internal.store;

import io.outboxed.internal.store.MemoryTables.DeliveryKey;
import io.outboxed.internal.store.MemoryTables.DeliveryRow;
import io.outboxed.internal.store.MemoryTables.LaneKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** The table of deliveries, and its indexes: tests with a burst have thousands of rows. */
final class MemoryDeliveries {
    private final Map<DeliveryKey, DeliveryRow> rows = new LinkedHashMap<>();
    private final Map<UUID, Map<DeliveryKey, DeliveryRow>> ofMessages = new HashMap<>();
    private final Map<LaneKey, Map<DeliveryKey, DeliveryRow>> inLanes = new HashMap<>();

    int size() {
        return rows.size();
    }

    Collection<DeliveryRow> all() {
        return rows.values();
    }

    DeliveryRow get(DeliveryKey key) {
        return rows.get(key);
    }

    void put(DeliveryKey key, DeliveryRow row) {
        remove(key);
        rows.put(key, row);
        ofMessages
                .computeIfAbsent(key.message(), absent -> new LinkedHashMap<>())
                .put(key, row);
        inLanes.computeIfAbsent(laneOf(row), absent -> new LinkedHashMap<>()).put(key, row);
    }

    boolean remove(DeliveryKey key) {
        DeliveryRow removed = rows.remove(key);
        if (removed != null) {
            remove(ofMessages, key.message(), key);
            remove(inLanes, laneOf(removed), key);
        }
        return removed != null;
    }

    private static <K> void remove(Map<K, Map<DeliveryKey, DeliveryRow>> index, K indexed, DeliveryKey key) {
        Map<DeliveryKey, DeliveryRow> left = index.get(indexed);
        left.remove(key);
        if (left.isEmpty()) {
            index.remove(indexed);
        }
    }

    private static LaneKey laneOf(DeliveryRow row) {
        return new LaneKey(row.lane, row.group);
    }

    /** The same message, and not a replay that has its id. */
    Map<DeliveryKey, DeliveryRow> of(MessageHead head) {
        Map<DeliveryKey, DeliveryRow> found = new LinkedHashMap<>(of(head.id()));
        found.values().removeIf(row -> row.seq != head.seq());
        return found;
    }

    Map<DeliveryKey, DeliveryRow> of(UUID message) {
        return ofMessages.getOrDefault(message, Map.of());
    }

    Stream<Map.Entry<DeliveryKey, DeliveryRow>> waiting(long lane, String group) {
        return inLanes.getOrDefault(new LaneKey(lane, group), Map.of()).entrySet().stream()
                .filter(each -> each.getValue().waitsIn(lane, group));
    }
}
