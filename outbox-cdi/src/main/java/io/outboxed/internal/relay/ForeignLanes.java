package io.outboxed.internal.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Lanes that this node could not claim and that would fill its windows. Windows skip them for a while: they are read
 * from their start when they are claimed.
 */
public final class ForeignLanes {
    /** The limit, because each makes the statement of every read longer. */
    private static final int MAX_IN_A_SHARD = 16;

    private static final long LEFT_OUT = Duration.ofSeconds(1).toNanos();

    private final Map<Integer, Map<Long, Long>> untilByShard = new HashMap<>();

    public void add(int shard, long lane, long now) {
        Map<Long, Long> lanes = untilByShard.computeIfAbsent(shard, number -> new HashMap<>());
        if (lanes.size() < MAX_IN_A_SHARD) {
            lanes.put(lane, now + LEFT_OUT);
        }
    }

    /**
     * Forgets those that are held now, and those whose time is over.
     *
     * @param shards those of this node
     * @return shards with lanes that may be tried again
     */
    public Set<Integer> expire(Set<Integer> shards, LongPredicate isHeld, long now) {
        Set<Integer> again = new HashSet<>();
        untilByShard.keySet().retainAll(shards);
        untilByShard.forEach((shard, lanes) -> {
            lanes.keySet().removeIf(isHeld::test);
            if (lanes.values().removeIf(until -> now - until >= 0)) {
                again.add(shard);
            }
        });
        untilByShard.values().removeIf(Map::isEmpty);
        return again;
    }

    public boolean any(int shard) {
        return untilByShard.containsKey(shard);
    }

    /** These lanes, and those of the shard that are left out. */
    public List<Long> and(List<Long> lanes, int shard) {
        if (!any(shard)) {
            return lanes;
        }
        List<Long> all = new ArrayList<>(lanes);
        all.addAll(untilByShard.get(shard).keySet());
        return all;
    }

    public long untilExpired(long now) {
        return untilByShard.values().stream()
                .flatMap(lanes -> lanes.values().stream())
                .mapToLong(until -> Math.max(0, until - now))
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
