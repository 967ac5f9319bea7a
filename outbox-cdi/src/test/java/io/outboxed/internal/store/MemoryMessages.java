package io.outboxed.internal.store;

import io.outboxed.internal.store.MemoryTables.Row;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The table of messages by number, and its indexes: a read of a shard or a lane does not pass over all others. */
final class MemoryMessages {
    private final TreeMap<Long, Row> rows = new TreeMap<>();
    private final Map<Integer, TreeMap<Long, Row>> ofShards = new HashMap<>();
    private final Map<Long, TreeMap<Long, Row>> inLanes = new HashMap<>();

    int size() {
        return rows.size();
    }

    Collection<Row> all() {
        return rows.values();
    }

    Collection<Row> newestFirst() {
        return rows.descendingMap().values();
    }

    Row last() {
        return rows.lastEntry().getValue();
    }

    Row get(long seq) {
        return rows.get(seq);
    }

    void put(Row row) {
        long seq = row.first.seq();
        rows.put(seq, row);
        ofShards.computeIfAbsent(row.first.shard(), shard -> new TreeMap<>()).put(seq, row);
        inLanes.computeIfAbsent(row.first.lane(), lane -> new TreeMap<>()).put(seq, row);
    }

    void remove(long seq) {
        Row removed = rows.remove(seq);
        if (removed != null) {
            ofShards.get(removed.first.shard()).remove(seq);
            TreeMap<Long, Row> lane = inLanes.get(removed.first.lane());
            lane.remove(seq);
            if (lane.isEmpty()) {
                inLanes.remove(removed.first.lane());
            }
        }
    }

    Collection<Row> ofShard(int shard, long above) {
        return above(ofShards.get(shard), above);
    }

    Collection<Row> inLane(long lane, long above) {
        return above(inLanes.get(lane), above);
    }

    private static Collection<Row> above(NavigableMap<Long, Row> index, long seq) {
        return index == null
                ? Collections.emptyList()
                : index.tailMap(seq, false).values();
    }
}
