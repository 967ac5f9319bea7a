package io.outboxed.internal.relay.loop;

import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.cluster.Lease;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The shards that this node holds. */
final class Shards {
    private final Map<Integer, ShardCursor> held = new TreeMap<>();
    /** Shards that may have rows in outbox_lane. */
    private final Set<Integer> waiting = new HashSet<>();

    Set<Integer> numbers() {
        return held.keySet();
    }

    void add(ShardCursor shard) {
        held.put(shard.lease.shard(), shard);
        waiting.add(shard.lease.shard());
    }

    /** @return whether it was held under this lease */
    boolean remove(Lease lease) {
        ShardCursor shard = held.get(lease.shard());
        if (shard == null || !shard.lease.equals(lease)) {
            return false;
        }
        held.remove(lease.shard());
        waiting.remove(lease.shard());
        return true;
    }

    ShardCursor get(int shard) {
        return held.get(shard);
    }

    boolean holds(Lease lease) {
        ShardCursor shard = held.get(lease.shard());
        return shard != null && shard.lease.equals(lease);
    }

    Collection<ShardCursor> all() {
        return held.values();
    }

    int size() {
        return held.size();
    }

    List<ShardCursor> leaving() {
        return held.values().stream().filter(ShardCursor::isLeaving).toList();
    }

    List<Lease> leases() {
        return held.values().stream().map(shard -> shard.lease).toList();
    }

    void mayWait(int shard) {
        waiting.add(shard);
    }

    Set<Integer> waiting() {
        return waiting;
    }

    void waiting(Set<Integer> numbers) {
        waiting.clear();
        waiting.addAll(numbers);
    }

    /**
     * A parked message may be suspect: unless it was due, the last owner of the shard did not run it.
     *
     * @param numbers of which everything that is due was read
     */
    void noteParked(Set<Integer> numbers, Collection<LaneWait> due) {
        Set<Integer> parked =
                due.stream().filter(LaneWait::isParked).map(LaneWait::shard).collect(Collectors.toSet());
        for (int number : numbers) {
            ShardCursor shard = held.get(number);
            if (shard != null && !parked.contains(number)) {
                shard.noneParked = true;
            }
        }
    }
}
