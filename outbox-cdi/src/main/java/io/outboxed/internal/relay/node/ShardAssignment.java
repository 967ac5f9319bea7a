package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import io.outboxed.internal.store.cluster.ShardLeases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Which shards this node holds: takes free ones, offers those above its fair share to other nodes, and tells the loop
 * what it has gained and lost. Used by the membership's thread.
 */
final class ShardAssignment {
    private final ShardLeases store;
    private final Mailbox mailbox;
    private final RelayLoop relay;
    private final FixedShards fixed;
    private final FailureDetector detector;
    private final long registryVersion;
    private final Random random;
    private final LongSupplier nanoClock;
    private final String tablePrefix;
    private final Map<Integer, Lease> held = new HashMap<>();
    /** Attempted; the answer may have been lost. */
    private final Set<Integer> takenFromTheDead = new HashSet<>();
    /** How many shards belong to nodes that claim lanes. */
    private int shared;
    /** Free in the previous round: the other nodes have had time to take their share of them. */
    private Set<Integer> leftOver = Set.of();

    ShardAssignment(
            ShardLeases store,
            Mailbox mailbox,
            RelayLoop relay,
            FixedShards fixed,
            FailureDetector detector,
            long registryVersion,
            Random random,
            LongSupplier nanoClock,
            String tablePrefix) {
        this.store = store;
        this.mailbox = mailbox;
        this.relay = relay;
        this.fixed = fixed;
        this.detector = detector;
        this.registryVersion = registryVersion;
        this.random = random;
        this.nanoClock = nanoClock;
        this.tablePrefix = tablePrefix;
    }

    /** This node's leases are void. */
    void forgetAll() {
        held.clear();
        leftOver = Set.of();
        takenFromTheDead.clear();
        mailbox.post(relay::lostAll);
    }

    /**
     * @param shards read before the nodes
     * @param isLate whether no more shards are taken
     */
    void adjust(String owner, List<Lease> shards, Map<String, NodeHeartbeat> live, BooleanSupplier isLate) {
        noticeShared(shards);
        take(owner, shards, live, isLate);
        if (!fixed.isConfigured()) {
            balance(owner, shards, live);
        }
    }

    /**
     * Notices the shards that other nodes have handed over to this one, and those that this node no longer owns.
     *
     * @param shards read after the loop had dropped these leases: one that is still this node's was restored by a failover
     * @param isLate whether no more shards are returned
     */
    void noticeChanges(String owner, List<Lease> shards, Set<Lease> dropped, BooleanSupplier isLate) {
        held.values().removeAll(dropped);
        List<Lease> foreign = new ArrayList<>();
        for (Lease shard : shards) {
            Lease lease = held.get(shard.shard());
            if (lease != null && !lease.equals(shard)) {
                held.remove(shard.shard());
                mailbox.post(() -> relay.lost(lease));
            }
            if (owner.equals(shard.owner()) && !shard.equals(lease)) {
                // handed over, and therefore clean, or taken by a statement whose answer was lost
                if (fixed.mayHold(shard.shard())) {
                    gain(shard, takenFromTheDead.contains(shard.shard()) || dropped.contains(shard));
                } else {
                    foreign.add(shard);
                }
            }
        }
        giveBack(foreign, isLate);
    }

    /** In any order: one whose row is locked must not hold up the others. */
    private void giveBack(List<Lease> foreign, BooleanSupplier isLate) {
        Collections.shuffle(foreign, random);
        for (int i = 0; i < foreign.size() && (i == 0 || !isLate.getAsBoolean()); i++) {
            store.release(List.of(foreign.get(i)));
            fixed.returned(foreign.get(i));
        }
    }

    private void noticeShared(List<Lease> shards) {
        int before = shared;
        List<String> owners =
                shards.stream().filter(Lease::isShared).map(Lease::owner).toList();
        shared = owners.size();
        if (before == 0 && shared > 0) {
            OutboxLog.shardsShared(shared, new TreeSet<>(owners), tablePrefix);
        }
    }

    /**
     * Takes free shards up to the fair share, and beyond it those that were free before: a node that counts as alive may
     * be frozen, or die before it takes any. Shards that are assigned to this node are taken at once. The next heartbeat
     * must not wait for many slow statements, but there is time for one.
     */
    private void take(String owner, List<Lease> shards, Map<String, NodeHeartbeat> live, BooleanSupplier isLate) {
        List<Lease> free = new ArrayList<>();
        for (Lease shard : shards) {
            if (shard.owner() == null || !live.containsKey(shard.owner()) && !shard.isShared()) {
                free.add(shard);
            }
        }
        Collections.shuffle(free, random);
        int fair = fair(shards.size(), live.size());
        boolean tried = false;
        for (Lease shard : free) {
            if (tried && isLate.getAsBoolean()) {
                break;
            }
            boolean due = fixed.isConfigured() || held.size() < fair || leftOver.contains(shard.shard());
            if (due && fixed.mayHold(shard.shard())) {
                take(owner, shard);
                tried = true;
            }
        }
        leftOver = free.stream().map(Lease::shard).collect(Collectors.toSet());
        fixed.reportUnassigned(leftOver, nanoClock.getAsLong());
    }

    private void take(String owner, Lease shard) {
        boolean ownerDied = shard.owner() != null;
        boolean first = ownerDied && takenFromTheDead.add(shard.shard());
        OptionalLong epoch = store.take(shard, owner);
        if (epoch.isPresent()) {
            gain(new Lease(shard.shard(), owner, epoch.getAsLong()), ownerDied);
        } else if (first) {
            // another node was faster; after a lost answer, the earlier statement may still commit
            takenFromTheDead.remove(shard.shard());
        }
    }

    private void gain(Lease lease, boolean ownerDied) {
        held.put(lease.shard(), lease);
        takenFromTheDead.remove(lease.shard());
        mailbox.post(() -> relay.gained(lease, ownerDied));
    }

    /**
     * Shards above the fair share go to the node with the fewest. Shards with messages that only a newer deployment can
     * handle go to such a node. Only a node whose heartbeat has just changed is given shards: to one that has died, they
     * would be lost for a lease.
     */
    private void balance(String owner, List<Lease> shards, Map<String, NodeHeartbeat> live) {
        Map<String, Long> counts = shards.stream()
                .filter(shard -> shard.owner() != null && live.containsKey(shard.owner()))
                .collect(Collectors.groupingBy(Lease::owner, Collectors.counting()));
        Optional<NodeHeartbeat> leastLoaded = live.values().stream()
                .filter(node -> !node.owner().equals(owner) && node.registryVersion() >= registryVersion)
                .filter(detector::isBeating)
                .min(Comparator.comparing(node -> counts.getOrDefault(node.owner(), 0L)));
        int fair = fair(shards.size(), live.size());
        if (leastLoaded.isPresent() && held.size() > fair) {
            String to = leastLoaded.get().owner();
            long room = fair - counts.getOrDefault(to, 0L);
            int count = (int) Math.min(held.size() - fair, room);
            mailbox.post(() -> relay.requestHandOver(count, to));
        }
        live.values().stream()
                .filter(node -> node.registryVersion() > registryVersion && detector.isBeating(node))
                .max(Comparator.comparingLong(NodeHeartbeat::registryVersion))
                .ifPresent(newest -> mailbox.post(() -> relay.requestHandOverToNewer(newest.owner())));
    }

    private static int fair(int shards, int nodes) {
        return (shards + nodes - 1) / Math.max(1, nodes);
    }
}
