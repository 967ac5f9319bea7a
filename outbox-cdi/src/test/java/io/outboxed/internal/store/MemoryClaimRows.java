package io.outboxed.internal.store;

import io.outboxed.internal.store.MemoryTables.NodeRow;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Rows of lanes on {@link MemoryStore}. */
public final class MemoryClaimRows implements LaneLocks {
    private final MemoryTables tables;
    private String owner;

    MemoryClaimRows(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public ClaimStrategy kind() {
        return ClaimStrategy.ROW_LOCK;
    }

    /** Null before it has joined. */
    public String owner() {
        return owner;
    }

    @Override
    public void open(String newOwner) {
        owner = newOwner;
    }

    @Override
    public boolean isOpen(String ofOwner) {
        return ofOwner.equals(owner);
    }

    @Override
    public void abandon() {
        owner = null;
    }

    @Override
    public Set<Long> tryLock(Collection<Long> lanes) {
        Set<Long> locked = new LinkedHashSet<>();
        if (owner != null) {
            for (long lane : lanes) {
                String holder = tables.claims.get(lane);
                if (holder == null || !isAlive(tables, holder)) {
                    tables.claims.put(lane, owner);
                }
                if (owner.equals(tables.claims.get(lane))) {
                    locked.add(lane);
                }
            }
        }
        return locked;
    }

    private static boolean isAlive(MemoryTables tables, String owner) {
        NodeRow node = tables.nodes.get(owner);
        return node != null && node.live;
    }

    @Override
    public void unlock(Collection<Long> lanes) {
        if (owner != null) {
            lanes.forEach(lane -> tables.claims.remove(lane, owner));
        }
    }

    @Override
    public List<Peer> peers() {
        List<Peer> dead = new ArrayList<>();
        tables.nodes.forEach((name, node) -> {
            if (node.dead && !name.equals(owner)) {
                dead.add(new Peer(name, true));
            }
        });
        return dead;
    }

    @Override
    public Set<String> present(Collection<String> owners) {
        return Set.of();
    }

    @Override
    public boolean leads() {
        return tables.nodes.entrySet().stream()
                .filter(node -> node.getValue().live && node.getKey().startsWith(kind().nodePrefix()))
                .map(node -> node.getKey())
                .min(String::compareTo)
                .filter(first -> first.equals(owner))
                .isPresent();
    }

    /** What a database does by locking the rows. */
    void fence(Lease lease, Collection<Long> lanes) {
        if (!tables.isShared(lease, kind())
                || !lanes.stream().allMatch(lane -> lease.owner().equals(tables.claims.get(lane)))) {
            if (lease.owner().equals(owner)) {
                abandon();
            }
            throw new LeaseLostException(lease);
        }
    }
}
