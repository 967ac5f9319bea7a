package io.outboxed.internal.store;

import io.outboxed.internal.store.MemoryTables.NodeRow;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import io.outboxed.internal.store.cluster.Nodes;
import io.outboxed.internal.store.cluster.ShardLeases;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** Which nodes live, and which of them owns a shard. */
final class MemoryCluster implements Nodes, ShardLeases {
    private final MemoryTables tables;

    MemoryCluster(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public void join(String owner, String label, long registryVersion) {
        tables.nodes.put(owner, new NodeRow(label, registryVersion));
    }

    @Override
    public boolean beat(String owner) {
        NodeRow node = tables.nodes.get(owner);
        if (node == null || !node.live) {
            return false;
        }
        node.beat++;
        return true;
    }

    @Override
    public List<NodeHeartbeat> live() {
        List<NodeHeartbeat> live = new ArrayList<>();
        tables.nodes.forEach((owner, node) -> {
            if (node.live) {
                live.add(new NodeHeartbeat(owner, node.label, node.registryVersion, node.beat));
            }
        });
        return live;
    }

    @Override
    public boolean declareDead(NodeHeartbeat observed) {
        NodeRow node = tables.nodes.get(observed.owner());
        boolean dies = node != null && node.live && node.beat == observed.beat();
        if (dies) {
            node.live = false;
            node.dead = true;
        }
        return dies;
    }

    @Override
    public void leave(String owner) {
        NodeRow node = tables.nodes.get(owner);
        if (node != null) {
            node.live = false;
        }
    }

    @Override
    public List<Lease> all(BooleanSupplier isLate) {
        return List.copyOf(tables.shards);
    }

    @Override
    public OptionalLong take(Lease observed, String newOwner) {
        if (!tables.shards.get(observed.shard()).equals(observed)) {
            return OptionalLong.empty();
        }
        assign(observed.shard(), newOwner);
        return OptionalLong.of(tables.shards.get(observed.shard()).epoch());
    }

    @Override
    public boolean handOver(Lease lease, String newOwner) {
        if (!holds(lease)) {
            return false;
        }
        assign(lease.shard(), newOwner);
        return true;
    }

    @Override
    public void release(Collection<Lease> leases) {
        for (Lease lease : leases) {
            if (holds(lease)) {
                assign(lease.shard(), null);
            }
        }
    }

    /** What a database does by locking the shard's row. */
    void fence(Lease lease) {
        if (!holds(lease)) {
            throw new LeaseLostException(lease);
        }
    }

    boolean holds(Lease lease) {
        Lease shard = tables.shards.get(lease.shard());
        return lease.owner().equals(shard.owner()) && lease.epoch() == shard.epoch();
    }

    private void assign(int shard, String owner) {
        tables.shards.set(
                shard, new Lease(shard, owner, tables.shards.get(shard).epoch() + 1));
    }
}
