package io.outboxed.internal.relay;

import io.outboxed.internal.store.Lease;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The shards that this node holds, as the loop knows them; owned by the loop. */
final class Shards {
    private final Map<Integer, HeldShard> held = new TreeMap<>();
    /** Shards that may have rows in outbox_lane. */
    private final Set<Integer> waiting = new HashSet<>();

    Set<Integer> numbers() {
        return held.keySet();
    }

    void add(HeldShard shard) {
        held.put(shard.lease.shard(), shard);
        waiting.add(shard.lease.shard());
    }

    /** @return whether it was held under this lease */
    boolean remove(Lease lease) {
        HeldShard shard = held.get(lease.shard());
        if (shard == null || !shard.lease.equals(lease)) {
            return false;
        }
        held.remove(lease.shard());
        waiting.remove(lease.shard());
        return true;
    }

    HeldShard get(int shard) {
        return held.get(shard);
    }

    boolean holds(Lease lease) {
        HeldShard shard = held.get(lease.shard());
        return shard != null && shard.lease.equals(lease);
    }

    Collection<HeldShard> all() {
        return held.values();
    }

    int size() {
        return held.size();
    }

    List<HeldShard> leaving() {
        return held.values().stream().filter(HeldShard::isLeaving).toList();
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

    void waiting(Set<Integer> known) {
        waiting.clear();
        waiting.addAll(known);
    }
}
