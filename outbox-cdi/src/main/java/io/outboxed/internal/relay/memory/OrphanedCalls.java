package io.outboxed.internal.relay.memory;

import java.util.HashMap;
import java.util.Map;

/** Calls that still run although their shard was lost. Until they end, their lane must not start again on this node. */
public final class OrphanedCalls {
    private final Map<Long, Integer> byLane = new HashMap<>();
    private final Map<Integer, Integer> byShard = new HashMap<>();

    public void add(long lane, int shard) {
        byLane.merge(lane, 1, Integer::sum);
        byShard.merge(shard, 1, Integer::sum);
    }

    public void ended(long lane, int shard) {
        byLane.computeIfPresent(lane, (key, count) -> count == 1 ? null : count - 1);
        byShard.computeIfPresent(shard, (key, count) -> count == 1 ? null : count - 1);
    }

    public boolean anyInLane(long lane) {
        return byLane.containsKey(lane);
    }

    public boolean anyInShard(int shard) {
        return byShard.containsKey(shard);
    }

    public boolean isEmpty() {
        return byLane.isEmpty();
    }
}
