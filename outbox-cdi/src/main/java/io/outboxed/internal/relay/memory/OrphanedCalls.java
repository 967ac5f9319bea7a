package io.outboxed.internal.relay.memory;

import java.util.HashMap;
import java.util.Map;

/** Calls that still run although their shard was lost. Until they end, their lane must not start again on this node. */
public final class OrphanedCalls {
    /** The shard of each call, by lane. */
    private final Map<Long, Map<Orphan, Integer>> byLane = new HashMap<>();

    /** Queried each time, so that a stale entry can't keep a lane from starting after its call has ended. */
    public interface Orphan {
        boolean isRunning();
    }

    /** May be repeated only if it threw. */
    public void add(Orphan call, long lane, int shard) {
        byLane.computeIfAbsent(lane, key -> new HashMap<>()).put(call, shard);
    }

    /** A call of this lane is over. */
    public void ended(long lane) {
        byLane.computeIfPresent(lane, (key, calls) -> {
            calls.keySet().removeIf(call -> !call.isRunning());
            return calls.isEmpty() ? null : calls;
        });
    }

    public boolean anyInLane(long lane) {
        Map<Orphan, Integer> calls = byLane.get(lane);
        return calls != null && calls.keySet().stream().anyMatch(Orphan::isRunning);
    }

    public boolean anyInShard(int shard) {
        return byLane.values().stream()
                .flatMap(calls -> calls.entrySet().stream())
                .anyMatch(call -> call.getValue() == shard && call.getKey().isRunning());
    }

    public boolean isEmpty() {
        return byLane.keySet().stream().noneMatch(this::anyInLane);
    }
}
