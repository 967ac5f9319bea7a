package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The shards that the configuration assigns to this node. Reports what such an assignment leaves without a node. */
final class FixedShards {
    private final Set<Integer> shards;
    private final long lease;
    /** Shards of other nodes that no live node has, and since when. */
    private final Map<Integer, Long> freeSince = new HashMap<>();

    private Set<Integer> reported = Set.of();
    private boolean returned;

    /** @param shards empty: none is assigned, and the node takes a fair share of all */
    FixedShards(Set<Integer> shards, Duration lease) {
        this.shards = shards;
        this.lease = lease.toNanos();
    }

    boolean isConfigured() {
        return !shards.isEmpty();
    }

    boolean mayHold(int shard) {
        return shards.isEmpty() || shards.contains(shard);
    }

    /** A node without such an assignment has handed over a shard that is not on the list. */
    void returned(Lease handedOver) {
        if (!returned) {
            OutboxLog.shardReturned(handedOver);
        }
        returned = true;
    }

    /** @param free shards that no live node has */
    void reportUnassigned(Set<Integer> free, long now) {
        if (!isConfigured()) {
            return;
        }
        freeSince.keySet().retainAll(free);
        free.stream().filter(shard -> !mayHold(shard)).forEach(shard -> freeSince.putIfAbsent(shard, now));
        Set<Integer> unassigned = new TreeSet<>();
        freeSince.forEach((shard, since) -> {
            if (now - since >= lease) {
                unassigned.add(shard);
            }
        });
        if (!unassigned.equals(reported) && !unassigned.isEmpty()) {
            OutboxLog.shardsUnassigned(unassigned);
        }
        reported = unassigned;
    }
}
